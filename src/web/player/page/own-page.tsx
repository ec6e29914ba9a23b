/** @jsxImportSource #web/player */
import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { LIMITS } from '#domain/common/vocabulary.ts'
import type { PageFormAction, PageState } from '#domain/participant-pages/page-state.ts'
import { OWN_PROGRESS_TITLE } from '#domain/progress/own-progress.ts'
import type { DocumentLinks } from '#domain/reports/document.ts'
import { Logo } from '#web/player/content/picture-slot.tsx'
import { renderEnding, type ServedEnding } from './noscript-ending.tsx'
import type { ServedQuiz } from './noscript-page.tsx'
import { OWN_PROGRESS_STYLE, OwnProgressFigures } from './own-progress.tsx'

/** Data of the page of a participant. */
export type ServedOwnPage = PageState &
  Pick<ServedEnding, 'result' | 'replies'> & { documents: DocumentLinks | undefined }

/** Style of the page of a participant, in addition to the style of the end page. */
export const OWN_PAGE_STYLE = [
  '.q-own{margin-top:3rem;padding-top:2rem;border-top:1px solid var(--q-line)}',
  '.q-own h2{margin:0 0 1rem;font-size:1.375rem;line-height:1.25}.q-own p+p,.q-own form{margin-top:1rem}',
  '.q-own dl{margin:0}.q-own dt{margin-top:1.25rem;font-weight:600}.q-own dd{margin:.25rem 0 0;white-space:pre-line}',
  // The creator's colour for buttons may have little contrast, so that these buttons use the colour of the text.
  '.q .q-main{border-color:currentColor;box-shadow:inset 0 0 0 1px}',
  '.q-own .q-steps{justify-content:flex-start;margin:1.5rem 0}.q-own .q-back{text-align:start}',
  OWN_PROGRESS_STYLE,
].join('')

const HEADINGS = {
  progress: 'ma-page-avant-apres',
  answers: 'ma-page-reponses',
  rights: 'ma-page-droits',
}
const ERROR_ID = 'ma-page-erreur'
const EMAIL_ID = 'ma-page-email'

type ActionProps = { action: PageFormAction; children: ReactNode; is_main?: boolean }

const Action = ({ action, children, is_main = false }: ActionProps) => (
  <button
    type="submit"
    className={is_main ? 'q-back q-main' : 'q-back'}
    name="action"
    value={action}
  >
    {children}
  </button>
)

const Section = ({ id, title, children }: { id: string; title: string; children: ReactNode }) => (
  <section className="q-own" aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    {children}
  </section>
)

/** Renders the form that asks the participant for the email address that they gave. */
const AddressForm = ({ typed_email, error }: Pick<PageState, 'typed_email' | 'error'>) => (
  <>
    <p>
      Pour que personne d’autre ne lise ces réponses, cette page demande d’abord l’adresse email
      donnée dans le questionnaire.
    </p>
    <form method="post">
      <label className="q-question" htmlFor={EMAIL_ID}>
        Adresse email donnée
      </label>
      <input
        className="q-input"
        id={EMAIL_ID}
        type="email"
        name="email"
        required
        maxLength={LIMITS.email}
        autoComplete="email"
        defaultValue={typed_email}
        {...(error !== null && {
          'aria-invalid': true,
          'aria-describedby': ERROR_ID,
          autoFocus: true,
        })}
      />
      {error !== null && (
        <p className="q-error" id={ERROR_ID} role="alert">
          {error}
        </p>
      )}
      <div className="q-steps">
        <Action action="reponses" is_main>
          Afficher mes réponses
        </Action>
        <Action action="donnees">Recevoir mes données</Action>
      </div>
    </form>
  </>
)

const Answers = ({ answers, typed_email }: Pick<PageState, 'answers' | 'typed_email'>) => (
  <>
    <dl>
      {answers?.map(({ question_id, question, answers: reply_texts }) => (
        <div key={question_id}>
          <dt dir="auto">{question}</dt>
          <dd dir="auto">{reply_texts.join('\n') || 'Sans réponse'}</dd>
        </div>
      ))}
    </dl>
    <form method="post">
      <input type="hidden" name="email" value={typed_email} />
      <Action action="donnees">Recevoir mes données</Action>
    </form>
  </>
)

const NO_EMAIL =
  'Aucune adresse email n’a été donnée dans ce questionnaire. Rien ne permet donc de vérifier qui ouvre cette page, et elle ne montre pas les réponses. Pour les recevoir, il faut écrire à l’auteur du questionnaire.'

const WITHDRAWAL = {
  tools:
    'L’adresse email n’est plus envoyée à aucun outil, et les outils d’emailing qui l’ont déjà reçue reçoivent une demande de désinscription.',
  none: 'L’adresse email n’est plus envoyée à aucun outil. Pour quitter une liste où elle se trouve déjà, le lien de désinscription des emails de l’auteur suffit.',
}
const TOOLS_ERASED =
  'Les outils d’emailing qui ont reçu l’adresse email reçoivent aussi une demande d’effacement ou de désinscription.'
const TOOLS_KEPT =
  'Un outil d’emailing qui a déjà reçu l’adresse email la garde : le lien de désinscription des emails de l’auteur permet d’en sortir.'

/** Returns the state of the address. Only the mail proves it, so that this page offers no confirmation. */
const confirmationText = (confirmation: NonNullable<PageState['confirmation']>): string => {
  switch (confirmation.state) {
    case 'confirmed':
      return `Adresse confirmée le ${confirmation.confirmed_on}.`
    case 'waiting':
      return `Adresse à confirmer : le bouton se trouve dans l’email envoyé à ${confirmation.masked_email}. D’ici là, elle n’est transmise à aucun outil.`
    case 'expired':
      return `L’adresse ${confirmation.masked_email} n’a pas été confirmée : elle n’est transmise à aucun outil.`
  }
}

const Measure = ({
  can_withdraw_measure,
  measure_withdrawn_on,
}: Pick<PageState, 'can_withdraw_measure' | 'measure_withdrawn_on'>) =>
  can_withdraw_measure ? (
    <form method="post">
      <p>
        L’ouverture des emails et les clics peuvent être mesurés. Retirer cet accord ne change rien
        au résultat ni aux emails reçus.
      </p>
      <div className="q-steps">
        <Action action="mesure">Retirer mon accord pour la mesure</Action>
      </div>
    </form>
  ) : (
    measure_withdrawn_on !== null && (
      <p role="status">{`Accord pour la mesure retiré le ${measure_withdrawn_on}.`}</p>
    )
  )

const Rights = ({ confirmation, can_withdraw, withdrawn_on, asks_tools, ...page }: PageState) => (
  <Section id={HEADINGS.rights} title="Mes droits">
    {confirmation && <p>{confirmationText(confirmation)}</p>}
    <p role="status">
      {withdrawn_on !== null &&
        `Accord retiré le ${withdrawn_on}. ${asks_tools ? WITHDRAWAL.tools : WITHDRAWAL.none}`}
    </p>
    {can_withdraw && (
      <form method="post">
        <p>
          L’adresse email donnée peut être envoyée aux outils d’emailing de l’auteur. Retirer
          l’accord ne change rien au résultat.
        </p>
        <div className="q-steps">
          <Action action="accord">Retirer mon accord</Action>
        </div>
      </form>
    )}
    <Measure {...page} />
    <form method="post">
      <p>
        Effacer les réponses supprime aussi le résultat et cette page. Une question est posée avant.
      </p>
      <div className="q-steps">
        <Action action="effacer">Effacer mes réponses</Action>
      </div>
    </form>
    <p>
      L’adresse de cette page est personnelle : qui la connaît peut voir ce résultat et effacer les
      réponses.
    </p>
  </Section>
)

const Sections = (page: PageState) => (
  <>
    {page.progress && (
      <Section id={HEADINGS.progress} title={OWN_PROGRESS_TITLE}>
        <OwnProgressFigures progress={page.progress} />
      </Section>
    )}
    <Section id={HEADINGS.answers} title="Mes réponses">
      <p>{`Questionnaire rempli le ${page.answered_on}.`}</p>
      {page.answers && <Answers {...page} />}
      {!page.answers && (page.has_email ? <AddressForm {...page} /> : <p>{NO_EMAIL}</p>)}
    </Section>
    <Rights {...page} />
  </>
)

/** Renders the question before an erasure, or the confirmation after an erasure. */
const Erasure = ({ quiz, page }: { quiz: ServedQuiz; page: PageState }) => {
  const { name, logo_image_id } = quiz.snapshot.quiz
  const isAsked = page.view === 'confirm'
  return (
    <div className="q">
      <div className="q-sheet">
        <Logo image_id={logo_image_id} />
        <section className="q-ending">
          <p dir="auto">{name}</p>
          <h1 className="q-title">
            {isAsked ? 'Effacer mes réponses ?' : 'Les réponses sont effacées'}
          </h1>
          <p>
            {isAsked
              ? 'Les réponses, le résultat et l’adresse email sont effacés de ce questionnaire pour toujours. Cette page n’existe plus ensuite.'
              : 'Ce questionnaire n’a plus ni les réponses, ni le résultat, ni l’adresse email. Cette page peut être fermée.'}
          </p>
          {page.has_email && <p>{page.asks_tools ? TOOLS_ERASED : TOOLS_KEPT}</p>}
          {isAsked && (
            <form method="post">
              <div className="q-steps">
                <a className="q-link" href={page.path}>
                  Garder mes réponses
                </a>
                <Action action="confirmer" is_main>
                  Effacer pour toujours
                </Action>
              </div>
            </form>
          )}
        </section>
      </div>
    </div>
  )
}

/**
 * Renders the markup of the page of a participant. The corrections of the answers appear only with the replies, after the
 * participant has typed their address.
 */
export const renderOwnPage = (quiz: ServedQuiz, page: ServedOwnPage): string => {
  const { result, replies, documents, view, answers } = page
  if (view !== 'result') return renderToString(<Erasure quiz={quiz} page={page} />)
  const { snapshot } = quiz
  const shown = answers
    ? snapshot
    : { ...snapshot, quiz: { ...snapshot.quiz, shows_corrections: undefined } }
  const after = <Sections {...page} />
  return renderEnding({ ...quiz, snapshot: shown }, { result, replies, documents, after })
}
