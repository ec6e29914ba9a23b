import { useQuery } from '@tanstack/react-query'
import { Check, Copy } from 'lucide-react'
import { type HTMLAttributes, useEffect, useState } from 'react'
import { RefusedCall } from '#contract/client/client.ts'
import { readFieldMessage } from '#contract/kit/field-message.ts'
import { trimText } from '#domain/common/text.ts'
import { LIMITS, MAX_WHOLE_NUMBER } from '#domain/common/vocabulary.ts'
import {
  closedText,
  isReservedSlug,
  isSlug,
  publicPath,
  slugReservedMessage,
} from '#domain/questionnaire/access.ts'
import { type Quiz, quizNoun } from '#domain/questionnaire/quiz.ts'
import { client } from '#web/api/client.ts'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import {
  type Objection,
  type ParsedInput,
  useOpeningField,
} from '#web/editor/draft/use-opening-field.ts'
import { pageFieldId } from '#web/editor/fields/field-ids.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/form/text-field.tsx'
import { HelpLink } from '#web/ui/help-link.tsx'
import { afterPress } from '#web/ui/presses.ts'
import { useCopy } from '#web/ui/use-copy.ts'
import {
  ClosingDateField,
  closesQuiz,
  OpeningDateField,
  onEnter,
  useAskBeforeClosing,
} from './access-dates.tsx'
import { OwnPageSection } from './own-page-section.tsx'

type Props = { session: DraftSession; quiz: Quiz }

/** Shows the address, the opening and the closing rules of a quiz. Each field applies at once, without a publication. */
export const AccessTab = (props: Props) => (
  <div className="flex max-w-3xl flex-col gap-6">
    <p className="text-sm text-ink-2">
      <HelpLink about="adresse et dates" page="partager#une-adresse-a-vous" />
      Ces réglages sont enregistrés au fur et à mesure et s’appliquent tout de suite, sans nouvelle
      publication.
    </p>
    <SlugField {...props} />
    <OpeningDateField {...props} />
    <ClosingDateField {...props} />
    <LimitField {...props} />
    <ClosedTextField session={props.session} />
    <OwnPageSection session={props.session} />
  </div>
)

type Attributes = Pick<
  HTMLAttributes<HTMLElement>,
  'autoCapitalize' | 'inputMode' | 'spellCheck'
> & {
  label: string
  hint: string
  placeholder?: string
  maxLength?: number
  autoComplete?: string
}
type Opening = Pick<ReturnType<typeof useOpeningField>, 'text' | 'error' | 'type' | 'leave'>

/** Renders a text field of one line whose text is saved at the latest when the creator leaves it. */
const OpeningField = ({
  field: { text, error, type, leave },
  name,
  ...attributes
}: { field: Opening; name: keyof Quiz } & Attributes) => (
  <TextField
    {...attributes}
    id={pageFieldId(name)}
    value={text}
    {...(error && { error })}
    onChange={(event) => type(event.currentTarget.value)}
    onKeyDown={onEnter(leave)}
    // A dialog that opens during a press would take its click.
    onBlur={() => afterPress(() => void leave())}
  />
)

const parseSlug = (typed: string): ParsedInput<string | null> => {
  const slug = typed.trim()
  if (slug === '') return { value: null }
  if (isReservedSlug(slug)) return { error: slugReservedMessage(slug) }
  return isSlug(slug)
    ? { value: slug }
    : { error: 'De 3 à 60 caractères : lettres minuscules sans accent, chiffres et tirets' }
}

/** Time after the last keystroke before the server checks an address. */
const CHECK_PAUSE_MS = 500

const checkSlug = async (id: string, slug: string): Promise<Objection> => {
  try {
    await client.quizzes.checkSlug({ id, slug })
  } catch (error) {
    // Without a connection the address is saved like every other edit, and the server checks it then.
    if (error instanceof RefusedCall && error.status < 500)
      return { error: readFieldMessage(error.message).reason }
  }
  return null
}

const SlugField = ({ session, quiz }: Props) => {
  const { id } = quiz
  const field = useOpeningField(session, 'slug', {
    show: (value) => value ?? '',
    parse: parseSlug,
    // Every saved address keeps leading to the quiz, so that parts of a word are not saved.
    needsQuestion: (slug) => slug !== quiz.slug,
    ask: async (slug) => (slug === null ? null : checkSlug(id, slug)),
  })
  const settled = useSettled(field.pending ?? null)
  const { data: objection } = useQuery({
    enabled: settled !== null && settled === field.pending,
    queryKey: ['quizzes', id, 'slug', settled],
    queryFn: () => (settled === null ? null : checkSlug(id, settled)),
    staleTime: 0,
  })
  const rejection = settled === field.pending && objection ? objection : undefined
  const { isCopied, copy } = useCopy()
  const link = `${window.location.origin}${publicPath(quiz)}`
  return (
    <div className="flex flex-col gap-2">
      <OpeningField
        field={{
          ...field,
          ...(rejection && rejection !== 'refused' && { error: rejection.error }),
        }}
        name="slug"
        label="Adresse du questionnaire"
        hint={`Après ${window.location.origin}/q/ – vide : une adresse faite pour vous. Les anciennes adresses continuent de mener ici.`}
        placeholder={`mon-${quizNoun(quiz)}`}
        maxLength={LIMITS.slug}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <div className="flex flex-wrap items-center gap-3 text-sm">
        <span className="wrap-anywhere text-ink-2">{link}</span>
        <Button
          icon={isCopied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
          onClick={() => void copy(link)}
        >
          {isCopied ? 'Copié' : 'Copier l’adresse'}
        </Button>
      </div>
    </div>
  )
}

/** Returns a value that has not changed for a moment; null until then. */
const useSettled = <Value,>(value: Value | null): Value | null => {
  const [settled, setSettled] = useState<Value | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), CHECK_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

const parseLimit = (typed: string): ParsedInput<number | null> => {
  if (typed.trim() === '') return { value: null }
  const limit = Number(typed)
  return Number.isInteger(limit) && limit >= 1 && limit <= MAX_WHOLE_NUMBER
    ? { value: limit }
    : { error: 'Un nombre entier de 1 à 1 000 000' }
}

const LimitField = ({ session, quiz }: Props) => {
  const askBeforeClosing = useAskBeforeClosing()
  const field = useOpeningField(session, 'max_responses', {
    show: (value) => value?.toString() ?? '',
    parse: parseLimit,
    needsQuestion: (max_responses) => closesQuiz(quiz, { max_responses }),
    ask: () => askBeforeClosing(`Ce nombre est déjà atteint (${quiz.nb_responses}).`),
  })
  return (
    <OpeningField
      field={field}
      name="max_responses"
      inputMode="numeric"
      label="Nombre maximum de participants"
      hint="Vide : sans limite. Supprimer un participant libère sa place."
      autoComplete="off"
    />
  )
}

const ClosedTextField = ({ session }: Pick<Props, 'session'>) => {
  const { text, type, leave } = useOpeningField(session, 'closed_text', {
    show: (value) => value ?? '',
    parse: (typed) => ({ value: trimText(typed) || null }),
  })
  return (
    <TextField
      multiline
      id={pageFieldId('closed_text')}
      label="Texte affiché quand le questionnaire est clos"
      hint="Sous le nom du questionnaire, dans ses couleurs."
      placeholder={closedText(null)}
      maxLength={LIMITS.closed_text}
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
      onBlur={() => void leave()}
    />
  )
}
