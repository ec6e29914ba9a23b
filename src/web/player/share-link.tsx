import { type MouseEvent, useState } from 'react'
import { ChangingText } from './changing-text.tsx'

/**
 * A link to the quiz that names a result. A script gives it to the browser's own sheet of sharing or copies it;
 * where neither is allowed, as in some frames, it is shown.
 */
export const ShareLink = ({ path, target }: { path: string; target: string | undefined }) => {
  const [said, setSaid] = useState('')
  const share = async (event: MouseEvent): Promise<void> => {
    event.preventDefault()
    const url = new URL(path, location.href).href
    const toTrue = () => true
    // Closed by the visitor: that is an answer too.
    const isAnswer = ({ name }: Error) => name === 'AbortError'
    if (await navigator.share?.({ url }).then(toTrue, isAnswer)) return
    const isCopied = await navigator.clipboard?.writeText(url).then(toTrue, isAnswer)
    setSaid(isCopied ? 'Adresse copiée.' : `Adresse à partager : ${url}`)
  }
  return (
    <span>
      <a className="q-link" href={path} target={target} onClick={share}>
        Partager mon résultat
      </a>
      <span className="q-note" role="status">
        {said && <ChangingText>{said}</ChangingText>}
      </span>
    </span>
  )
}
