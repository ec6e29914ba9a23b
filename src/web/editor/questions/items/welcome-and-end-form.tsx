import type { ReactNode } from 'react'
import { LIMITS } from '#domain/common/vocabulary.ts'
import { END_TITLE, WELCOME_BUTTON } from '#domain/questionnaire/pages.ts'
import type { Quiz, QuizPage } from '#domain/questionnaire/quiz.ts'
import type { ChangePage } from '#web/editor/draft/use-draft.ts'
import { AddressField } from '#web/editor/fields/address-field.tsx'
import { pageFieldId } from '#web/editor/fields/field-ids.ts'
import { TextField } from '#web/ui/form/text-field.tsx'
import { HelpLink } from '#web/ui/help-link.tsx'
import { ImageField } from '#web/ui/images/image-field.tsx'
import { RichTextField } from '#web/ui/rich-text/rich-text-field.tsx'

/** Props of the fields of the welcome or end screen. */
export type WelcomeAndEndProps = {
  quiz: Quiz
  kind: 'welcome' | 'end'
  change: ChangePage
  /** Card of conditional texts at the end. */
  children?: ReactNode
}

type Texts = 'title' | 'text' | 'button' | 'button_text'
const LABELS: Record<Texts, string> = {
  title: 'Titre',
  text: 'Texte',
  button: 'Bouton',
  button_text: 'Texte du bouton',
}

/** Shows the fields of the welcome or end screen. */
const WelcomeAndEndForm = ({ quiz, kind, change, children }: WelcomeAndEndProps) => {
  const isWelcome = kind === 'welcome'
  const field = (name: Texts) => {
    const key = `${kind}_${name}` as keyof QuizPage
    return {
      id: pageFieldId(key),
      label: LABELS[name],
      value: String(quiz[key] ?? ''),
      onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
        change({ [key]: currentTarget.value || null }),
    }
  }
  return (
    <>
      <HelpLink about="accueil et fin" page="accueil-et-fin" />
      <TextField
        {...field('title')}
        placeholder={isWelcome ? quiz.name : END_TITLE}
        maxLength={LIMITS.title}
        autoComplete="off"
      />
      <RichTextField {...field('text')} rows={2} maxLength={LIMITS.description} />
      <TextField
        {...field(isWelcome ? 'button' : 'button_text')}
        placeholder={isWelcome ? WELCOME_BUTTON : undefined}
        maxLength={LIMITS.button_text}
        autoComplete="off"
      />
      {!isWelcome && (
        <AddressField
          id={pageFieldId('end_button_url')}
          label="Adresse du bouton"
          address={quiz.end_button_url}
          onChange={(end_button_url) => change({ end_button_url })}
        />
      )}
      {isWelcome && (
        <ImageField
          id={pageFieldId('welcome_image_id')}
          label="Image de l’accueil"
          image_id={quiz.welcome_image_id}
          image_alt={quiz.welcome_image_alt}
          alt_id={pageFieldId('welcome_image_alt')}
          onChange={({ image_id, image_alt }) =>
            change({ welcome_image_id: image_id, welcome_image_alt: image_alt })
          }
        />
      )}
      {children}
    </>
  )
}

export default WelcomeAndEndForm
