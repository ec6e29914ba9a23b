import { type MouseEvent, type ReactNode, useState } from 'react'
import { END_TITLE } from '#domain/questionnaire/pages.ts'
import { isSondage } from '#domain/questionnaire/quiz.ts'
import type { Insertions, RichSnapshot, RichText } from '#domain/run/rich-text.ts'
import { HAS_PAGE_OPTIONS } from '#web/player/content/has-page-options.ts'
import { Picture } from '#web/player/content/picture.tsx'
import { ChangingText, RichTextElement } from '#web/player/content/rich-text.tsx'
import type { Refusal } from '#web/player/run/player-api.ts'
import type { Run } from '#web/player/run/run.ts'
import { type LinkProps, NextSteps } from './next-steps.tsx'
import { ResultBreakdown } from './result-breakdown.tsx'
import { TiedResults } from './tied-results.tsx'
import './ending.css'

/**
 * Renders a link to the quiz that names a result. A script opens the browser's share sheet or copies the address. If
 * neither is allowed, as in some frames, the address is shown.
 */
const ShareLink = ({ path, target }: { path: string; target: string | undefined }) => {
  const [shareOutcome, setShareOutcome] = useState('')
  const share = async (event: MouseEvent): Promise<void> => {
    event.preventDefault()
    const url = new URL(path, location.href).href
    const returnTrue = () => true
    // A share sheet that the visitor closes is a success too.
    const isSheetClosed = ({ name }: Error) => name === 'AbortError'
    if (await navigator.share?.({ url }).then(returnTrue, isSheetClosed)) return
    const isCopied = await navigator.clipboard?.writeText(url).then(returnTrue, isSheetClosed)
    setShareOutcome(isCopied ? 'Adresse copiée.' : `Adresse à partager : ${url}`)
  }
  return (
    <span>
      <a className="q-link" href={path} target={target} onClick={share}>
        Partager mon résultat
      </a>
      <span className="q-note" role="status">
        {shareOutcome && <ChangingText>{shareOutcome}</ChangingText>}
      </span>
    </span>
  )
}

/** Links of the end of a published quiz; absent in a preview. */
export type EndLinks = {
  /** True if another site frames the page, so that links must leave the frame. */
  is_framed: boolean
  /** The address of the quiz. */
  quiz_path: string
  /** Props of the link that starts a new run. */
  restart: LinkProps
  /** Props of the link that cancels the redirect; undefined unless a redirect is scheduled. */
  stay: LinkProps | undefined
}

type Props = {
  snapshot: RichSnapshot
  run: Run
  insertions: Insertions | null
  /** The reason why the server has refused the answers. */
  refusal: Refusal | undefined
  links: EndLinks | undefined
  /** Content below the end. */
  children: ReactNode
}

const REFUSALS: Record<Refusal, string> = {
  withdrawn: 'Vos réponses n’ont pas été transmises : ce questionnaire n’est plus publié.',
  closed: 'Vos réponses n’ont pas été transmises : ce questionnaire est clos.',
  refused: 'Vos réponses n’ont pas été transmises.',
}

type Parts = {
  title: string | string[]
  text?: RichText | null | undefined
  /** The label and the address of its button. */
  lead?: (string | null | undefined)[]
}

/** Returns the texts of the end. */
const partsOf = ({ snapshot: { quiz }, run: { is_finished, result } }: Props): Parts => {
  if (!is_finished) return { title: 'Aucune page disponible' }
  if (isSondage(quiz)) {
    return {
      // Separate texts are not tied, so that the specified title keeps its plain space.
      title: quiz.end_title ?? END_TITLE.split(/(!)/),
      text: quiz.end_text,
      ...(HAS_PAGE_OPTIONS && { lead: [quiz.end_button_text, quiz.end_button_url] }),
    }
  }
  if (!result) return { title: 'Aucun résultat ne correspond à ces réponses' }
  const { name, description, button_text, button_url } = result
  return {
    title: name,
    text: description,
    ...(HAS_PAGE_OPTIONS && { lead: [button_text, button_url] }),
  }
}

/** Returns the target of links: the whole window from a frame, a new tab from a preview. */
const targetOf = (links: EndLinks | undefined): string | undefined => {
  if (!links) return '_blank'
  return links.is_framed ? '_top' : undefined
}

/**
 * Renders the screen after the last page (spec §2; decisions « Sondage »). A quiz without pages shows this screen
 * only.
 */
export const Ending = (props: Props) => {
  const { snapshot, run, insertions, refusal, links, children } = props
  const { quiz, results } = snapshot
  const { title, text, lead } = partsOf(props)
  const { result, detail } = run
  const target = targetOf(links)
  const rank = results.findIndex(({ id }) => id === result?.id) + 1
  return (
    <section className="q-ending">
      {HAS_PAGE_OPTIONS && <Picture image_id={result?.image_id} image_alt={result?.image_alt} />}
      {run.is_finished && <p dir="auto">{quiz.name}</p>}
      <h1 className="q-title" dir="auto" tabIndex={-1}>
        {title}
      </h1>
      {text && <RichTextElement text={text} insertions={insertions} />}
      {HAS_PAGE_OPTIONS && detail && (
        <ResultBreakdown detail={detail} results={[result, ...(run.ties ?? [])]} />
      )}
      {/* The element is empty at first, because screen readers announce text that is added later. */}
      <p className="q-refused" role="status">
        {refusal && <ChangingText>{REFUSALS[refusal]}</ChangingText>}
      </p>
      {HAS_PAGE_OPTIONS && (
        <NextSteps
          lead={lead}
          redirect_url={result?.redirect_url}
          insertions={insertions}
          target={target}
          stay={links?.stay}
        >
          {run.ties && <TiedResults results={run.ties} insertions={insertions} target={target} />}
        </NextSteps>
      )}
      {run.is_finished && links && (
        <div className="q-steps">
          {rank > 0 && <ShareLink path={`${links.quiz_path}?r=${rank}`} target={target} />}
          {quiz.allows_restart && (
            <a className="q-link" {...links.restart}>
              Recommencer
            </a>
          )}
        </div>
      )}
      {run.is_finished && children}
    </section>
  )
}
