/** @jsxImportSource #web/player */
import type { MouseEvent } from 'react'
import { tiePunctuation } from '#domain/common/french-spacing.ts'
import { EndCorrections } from '#web/player/corrections/correction.tsx'
import { parts, type SecondFileParts } from '#web/player/parts.ts'
import type { Refusal } from '#web/player/run/player-api.ts'
import { Dimensions } from './dimensions.tsx'
import { Documents } from './documents.tsx'
import { NextSteps } from './next-steps.tsx'
import { ResultBreakdown } from './result-breakdown.tsx'
import { TiedResults } from './tied-results.tsx'
import './print.css'

/** Renders how the result was computed, and the dimensions of the run. */
export const Explanation: SecondFileParts['Explanation'] = ({ snapshot, run, insertions }) => {
  const { detail, result, ties = [], is_finished, replies } = run
  return (
    <>
      {detail && <ResultBreakdown detail={detail} results={[result, ...ties]} />}
      {is_finished && <Dimensions snapshot={snapshot} replies={replies} insertions={insertions} />}
    </>
  )
}

/** Renders documents, links to other sites, tied results and corrections. */
export const EndExtras: SecondFileParts['EndExtras'] = (props) => {
  const { snapshot, run, insertions, links } = props
  const { quiz } = snapshot
  const { result, ties, is_finished } = run
  const target = links ? links.target : '_blank'
  const lead =
    is_finished && quiz.type === 'sondage'
      ? [quiz.end_button_text, quiz.end_button_url]
      : [result?.button_text, result?.button_url]
  return (
    <>
      <Documents quiz={quiz} links={links} />
      <NextSteps
        lead={lead}
        redirect_url={result?.redirect_url}
        insertions={insertions}
        target={target}
        stay={links?.stay}
      >
        {ties && <TiedResults results={ties} insertions={insertions} target={target} />}
      </NextSteps>
      <EndCorrections {...props} />
    </>
  )
}

/** Opens the browser's share sheet or copies the address. If neither is allowed, as in some frames, shows the address. */
const share = async (event: MouseEvent<HTMLAnchorElement>): Promise<void> => {
  event.preventDefault()
  const { href: url, nextElementSibling: note } = event.currentTarget
  const returnTrue = () => true
  // A share sheet that the visitor closes is a success too.
  const isSheetClosed = ({ name }: Error) => name === 'AbortError'
  if (await navigator.share?.({ url }).then(returnTrue, isSheetClosed)) return
  const isCopied = await navigator.clipboard?.writeText(url).then(returnTrue, isSheetClosed)
  const outcome = isCopied ? 'Adresse copiée.' : `Adresse à partager : ${url}`
  // The player shows nothing in this element, so that the note stays.
  if (note) note.textContent = tiePunctuation(outcome)
}

/** Renders the link that shares the result. */
export const ShareLink: SecondFileParts['ShareLink'] = ({ snapshot, run: { result }, links }) => {
  const rank = snapshot.results.findIndex(({ id }) => id === result?.id) + 1
  if (rank === 0 || !links) return null
  return (
    <span>
      <a
        className="q-link"
        href={`${links.quiz_path}?r=${rank}`}
        target={links.target}
        onClick={share}
      >
        {parts.wordingOf(snapshot.quiz, 'Partager mon résultat')}
      </a>
      <span className="q-note" role="status" />
    </span>
  )
}

// Each text is whole, because the forms with « tu » are found by it (domain/run/wording/page-wording.ts).
const WITHDRAWN = 'Vos réponses n’ont pas été transmises : ce questionnaire n’est plus publié.'
const CLOSED = 'Vos réponses n’ont pas été transmises : ce questionnaire est clos.'
const REFUSALS: Record<Refusal, string> = {
  quiz_not_published: WITHDRAWN,
  not_found: WITHDRAWN,
  quiz_not_open:
    'Vos réponses n’ont pas été transmises : ce questionnaire n’est pas encore ouvert.',
  quiz_closed: CLOSED,
  quiz_full: CLOSED,
  already_replied: 'Une réponse a déjà été envoyée avec ce lien : celle-ci n’est pas transmise.',
  campaign_ended: 'Cette campagne est terminée : les réponses n’ont pas été transmises.',
  unsent: 'Vos réponses ne sont pas encore transmises : gardez cette page ouverte.',
}

/** Returns why the answers were refused, in the words of the quiz. */
export const describeRefusal: SecondFileParts['describeRefusal'] = ({
  snapshot: { quiz },
  refusal,
}) => {
  const text = refusal && REFUSALS[refusal]
  return text && parts.wordingOf(quiz, text)
}
