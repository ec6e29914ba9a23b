import { Check, Copy } from 'lucide-react'
import { type HTMLAttributes, type HTMLInputTypeAttribute, type KeyboardEvent, useId } from 'react'
import { trimText } from '#domain/common/text.ts'
import { fromLocalTime, localMinute } from '#domain/common/time-zone.ts'
import { LIMITS, MAX_WHOLE_NUMBER } from '#domain/common/vocabulary.ts'
import {
  closedText,
  isReservedSlug,
  isSlug,
  publicPath,
  slugReservedMessage,
} from '#domain/questionnaire/access.ts'
import type { Quiz } from '#domain/questionnaire/quiz.ts'
import { client } from '#web/api/client.ts'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import { type ParsedInput, useAccessField } from '#web/editor/draft/use-access-field.ts'
import { Button, DisappearingButton } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/form/text-field.tsx'
import { useZone } from '#web/ui/moments.ts'
import { useCopy } from '#web/ui/use-copy.ts'

/** Shows the address and the closing rules of a quiz. Each field applies at once, without a publication. */
export const AccessTab = ({ session, quiz }: { session: DraftSession; quiz: Quiz }) => (
  <div className="flex max-w-3xl flex-col gap-6">
    <p className="text-sm text-ink-2">
      Ces réglages s’appliquent tout de suite, sans nouvelle publication.
    </p>
    <SlugField session={session} quiz={quiz} />
    <ClosingField session={session} />
    <LimitField session={session} />
    <ClosedTextField session={session} />
  </div>
)

type Access = Omit<ReturnType<typeof useAccessField>, 'store'>

type Attributes = Pick<
  HTMLAttributes<HTMLElement>,
  'autoCapitalize' | 'inputMode' | 'spellCheck'
> & {
  id?: string
  type?: HTMLInputTypeAttribute
  placeholder?: string
  maxLength?: number
  autoComplete?: string
}

/** Shows a field of this tab with its own save state. */
const AccessField = ({
  access: { value, error, state, type: change, save },
  label,
  hint,
  multiline,
  ...attributes
}: {
  access: Access
  label: string
  hint: string
  multiline?: boolean
} & Attributes) => {
  const field = { label, hint, value, ...(error && { error }), ...attributes, onBlur: save }
  return (
    <div>
      {multiline ? (
        <TextField {...field} multiline onChange={(event) => change(event.currentTarget.value)} />
      ) : (
        <TextField
          {...field}
          onChange={(event) => change(event.currentTarget.value)}
          onKeyDown={(event: KeyboardEvent) => event.key === 'Enter' && save()}
        />
      )}
      <p role="status" className="mt-1 min-h-5 text-sm text-ink-2">
        {state}
      </p>
    </div>
  )
}

const parseSlug = (typed: string): ParsedInput<string | null> => {
  const slug = typed.trim()
  if (slug === '') return { value: null }
  if (isReservedSlug(slug)) return { error: slugReservedMessage(slug) }
  return isSlug(slug)
    ? { value: slug }
    : { error: 'De 3 à 60 caractères : lettres minuscules sans accent, chiffres et tirets' }
}

const SlugField = ({ session, quiz }: { session: DraftSession; quiz: Quiz }) => {
  const slug = useAccessField(session, 'slug', {
    show: (value) => value ?? '',
    parse: parseSlug,
    check: (typed) => client.quizzes.checkSlug({ id: quiz.id, slug: typed }),
  })
  const { isCopied, copy } = useCopy()
  const link = `${window.location.origin}${publicPath(quiz)}`
  return (
    <div>
      <AccessField
        access={slug}
        label="Adresse du questionnaire"
        hint={`Après ${window.location.origin}/q/ – vide : une adresse faite pour vous. Les anciennes adresses continuent de mener ici.`}
        placeholder="mon-quiz"
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

/** Parses the local time of the field; only years from 2000 to 2999 are valid. */
const parseClosing = (typed: string, time_zone: string): ParsedInput<string | null> => {
  if (typed === '') return { value: null }
  const year = Number(typed.slice(0, 4))
  return year >= 2000 && year < 3000
    ? { value: fromLocalTime(typed, time_zone) }
    : { error: 'L’année est entre 2000 et 2999' }
}

const ClosingField = ({ session }: { session: DraftSession }) => {
  const id = useId()
  const { time_zone, time_zone_name } = useZone()
  const closing = useAccessField(session, 'closes_at', {
    show: (value) => (value ? localMinute(value, time_zone) : ''),
    parse: (typed) => parseClosing(typed, time_zone),
  })
  return (
    <div className="flex flex-wrap items-start gap-3">
      <div className="min-w-0 flex-1 basis-60">
        <AccessField
          access={closing}
          id={id}
          type="datetime-local"
          label={`Date et heure de clôture (${time_zone_name})`}
          hint="Ensuite la page dit que le questionnaire est clos. Qui avait commencé peut finir, pendant 24 heures."
        />
      </div>
      {closing.value !== '' && (
        <DisappearingButton next_id={id} className="mt-7" onClick={() => closing.store(null)}>
          Retirer la clôture
        </DisappearingButton>
      )}
    </div>
  )
}

const parseLimit = (typed: string): ParsedInput<number | null> => {
  if (typed.trim() === '') return { value: null }
  const limit = Number(typed)
  return Number.isInteger(limit) && limit >= 1 && limit <= MAX_WHOLE_NUMBER
    ? { value: limit }
    : { error: 'Un nombre entier de 1 à 1 000 000' }
}

const LimitField = ({ session }: { session: DraftSession }) => {
  const limit = useAccessField(session, 'max_responses', {
    show: (value) => value?.toString() ?? '',
    parse: parseLimit,
  })
  return (
    <AccessField
      access={limit}
      inputMode="numeric"
      label="Nombre maximum de participants"
      hint="Vide : sans limite. Supprimer un participant libère sa place."
      autoComplete="off"
    />
  )
}

const ClosedTextField = ({ session }: { session: DraftSession }) => {
  const text = useAccessField(session, 'closed_text', {
    show: (value) => value ?? '',
    parse: (typed) => ({ value: trimText(typed) || null }),
  })
  return (
    <AccessField
      access={text}
      multiline
      label="Texte affiché quand le questionnaire est clos"
      hint="Sous le nom du questionnaire, dans ses couleurs."
      placeholder={closedText(null)}
      maxLength={LIMITS.closed_text}
    />
  )
}
