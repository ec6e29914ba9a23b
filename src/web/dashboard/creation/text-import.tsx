import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { RefusedCall } from '#contract/client/client.ts'
import { isBlankText } from '#domain/common/text.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import { MAX_TEXT_LENGTH, type TextError } from '#domain/text-format/lines.ts'
import { client } from '#web/api/client.ts'
import { saveErrorText } from '#web/api/error-text.ts'
import { quizzesQuery } from '#web/api/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { HelpLink } from '#web/ui/help-link.tsx'
import { AssistantBrief } from './assistant-brief.tsx'
import { ImportNotes } from './import-notes.tsx'
import { focusLine, NumberedText } from './numbered-text.tsx'
import type { CreationPanelProps, ImportedText } from './quiz-kinds.ts'
import { summarizeErrors, summarizeIgnored, TextErrors } from './text-errors.tsx'
import { TextOutline, useParsedText } from './text-outline.tsx'

/** A complete questionnaire in the text format, as a starting point. */
const TEXT_EXAMPLE = `# Quel est votre style ?
Type : quiz

## Accueil
Titre : Deux minutes pour mieux vous connaître
Bouton : C’est parti

## Résultats

### Méthodique
> Vous aimez **prévoir** avant d’agir.

### Spontané
> Vous avancez, puis vous **ajustez**.

## Page 1

### Comment commencez-vous une journée ?
- Avec une liste -> Méthodique ×2
- Avec un café, on verra après -> Spontané ×2
- Avec le plus urgent -> Méthodique, Spontané

## Page 2

### Où vous envoyer votre résultat ?
Réponse : email
Obligatoire : non
`

/**
 * Written text, kept while the page stays open, so that closing the dialog does not lose the text. Emptied after the
 * import.
 */
let savedText = ''
/** Source of the text if the text comes from a file of another product; kept like the text. */
let savedImport: ImportedText | undefined
/** Text that the file replaced, so that the creator can restore the text. */
let replacedText = ''

/** Replaces the saved text by a converted file. Ignores a file that has already replaced the text. */
const takeImport = (imported: ImportedText | undefined): void => {
  if (!imported || imported === savedImport) return
  if (!savedImport) replacedText = savedText
  savedImport = imported
  savedText = imported.text
}

/** Creates a questionnaire from a written or pasted text (docs/text-format.md). */
const TextImport = ({ onCreated, imported }: CreationPanelProps) => {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState(() => {
    takeImport(imported)
    return savedText
  })
  const [reviewed, setReviewed] = useState(savedImport)
  const [tooLong, setTooLong] = useState(0)
  const { parsed, parsedText, isCurrent } = useParsedText(text)
  const { create, isCreating, refused, error, forget } = useImport(onCreated)
  const draft = useLastDraft(parsed && 'draft' in parsed ? parsed.draft : undefined)
  const isBlank = isBlankText(text)
  const hasText = !isBlank && !isBlankText(parsedText)
  const found = parsed && 'errors' in parsed && hasText ? parsed.errors : []
  // Errors of the server come first, because only the server knows which addresses and pictures exist.
  const errors = refused.length > 0 ? refused : found
  const ignored = parsed && 'draft' in parsed ? parsed.ignored_lines : []
  const summary = isBlank ? HINT : summarizeErrors(errors) || summarizeIgnored(ignored)

  const write = (written: string): void => {
    savedText = written
    if (isBlankText(written)) savedImport = undefined
    setReviewed(savedImport)
    setText(written)
    setTooLong(0)
    forget()
  }
  const restore = (): void => {
    savedImport = undefined
    write(replacedText)
    field.current?.focus()
  }
  const leadTo = (line: number): void => {
    if (field.current) focusLine(field.current, line)
  }
  const submit = (): void => {
    const [first] = isCurrent ? found : []
    if (isBlank) field.current?.focus()
    else if (first) leadTo(first.line)
    else create(text, leadTo)
  }

  return (
    <div className="flex flex-col gap-4">
      {reviewed ? (
        <ImportNotes imported={reviewed} current={text} onChoose={leadTo}>
          {!isBlankText(replacedText) && (
            <Button onClick={restore} className="self-start">
              Reprendre votre texte précédent
            </Button>
          )}
        </ImportNotes>
      ) : (
        <AssistantBrief />
      )}
      <div className="grid gap-4 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-2">
          <label htmlFor={`${id}-text`} className="text-sm font-medium">
            Texte du questionnaire
          </label>
          <NumberedText
            id={`${id}-text`}
            field={field}
            value={text}
            wrong={new Set(errors.map(({ line }) => line))}
            describedBy={`${id}-summary`}
            onChange={write}
            onTooLong={setTooLong}
          />
          <p
            id={`${id}-summary`}
            role="status"
            className={errors.length > 0 ? 'text-bad' : 'text-ink-2'}
          >
            {tooLong > 0 ? tooLongText(tooLong) : summary}
          </p>
          <TextErrors
            text={refused.length > 0 ? text : parsedText}
            errors={errors}
            onChoose={leadTo}
          />
          {isBlank && (
            <Button
              onClick={() => {
                write(TEXT_EXAMPLE)
                // This button disappears.
                field.current?.focus()
              }}
              className="self-start"
            >
              Insérer un exemple
            </Button>
          )}
        </div>
        <Outline draft={isBlank ? undefined : draft} isStale={errors.length > 0} />
      </div>
      <div role="alert">
        {error && (
          <div className="rounded-xl bg-bad-wash p-4 text-bad">
            <p className="font-medium">Le questionnaire n’a pas pu être créé</p>
            <p className="mt-1">{saveErrorText(error)}</p>
            <p className="mt-1">Votre texte est conservé.</p>
          </div>
        )}
      </div>
      <Button
        variant="primary"
        size="large"
        busy={isCreating}
        onClick={submit}
        className="self-end"
      >
        {isCreating ? 'Création…' : 'Créer ce questionnaire'}
      </Button>
    </div>
  )
}

/** Renders the parsed draft next to the text, or below it on a phone. */
const Outline = ({ draft, isStale }: { draft: Draft | undefined; isStale: boolean }) => {
  const id = useId()
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="flex items-center justify-between gap-2">
        <h3 id={id} className="text-sm font-medium">
          Ce qui est compris
        </h3>
        <HelpLink about="questionnaire en texte" page="importer#coller-un-texte" />
      </div>
      <section
        aria-labelledby={id}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll the region
        tabIndex={0}
        className="max-h-[45dvh] min-h-24 overflow-y-auto rounded-lg bg-card p-3"
      >
        {draft && isStale && (
          <p className="mb-2 text-sm text-ink-2">Avant les dernières erreurs :</p>
        )}
        {draft ? (
          <TextOutline draft={draft} />
        ) : (
          <p className="text-ink-2">L’aperçu apparaît ici.</p>
        )}
      </section>
    </div>
  )
}

const tooLongText = (length: number): string =>
  `Ce texte a ${length.toLocaleString('fr-FR')} caractères : ${MAX_TEXT_LENGTH.toLocaleString('fr-FR')} au plus. Il n’a pas été collé.`
const HINT =
  'Écrivez ou collez un texte : « # » pour le nom, « ## Page 1 », « ### » pour une question, « - » pour une réponse.'

/** Returns the last valid draft while the text is invalid. */
const useLastDraft = (draft: Draft | undefined): Draft | undefined => {
  const [last, setLast] = useState(draft)
  if (draft && draft !== last) setLast(draft)
  return draft ?? last
}

/** Sends a text to the server, which creates a quiz; one request at a time. `refused` has the lines with an error. */
const useImport = (onCreated: CreationPanelProps['onCreated']) => {
  const queryClient = useQueryClient()
  const { mutate, reset, isPending, error } = useMutation({
    mutationFn: async (text: string) => (await client.quizzes.importText({ body: { text } })).quiz,
    // Runs even if the dialog was closed meanwhile.
    onSuccess: () => {
      savedText = ''
      savedImport = undefined
      replacedText = ''
      void queryClient.invalidateQueries({ queryKey: quizzesQuery().queryKey, exact: true })
    },
  })
  const refused = linesOf(error)
  return {
    create: (text: string, leadTo: (line: number) => void): void => {
      if (isPending) return
      mutate(text, {
        onSuccess: onCreated,
        onError: (refusal) => {
          const [first] = linesOf(refusal)
          if (first) leadTo(first.line)
        },
      })
    },
    isCreating: isPending,
    refused,
    error: refused.length > 0 ? null : error,
    forget: () => {
      if (error) reset()
    },
  }
}

const linesOf = (error: Error | null): TextError[] => {
  if (!(error instanceof RefusedCall)) return []
  return error.validation_errors.flatMap((sentence) => {
    const [, line, message = ''] = /^Ligne (\d+) : (.*)$/s.exec(sentence) ?? []
    return line === undefined ? [] : [{ line: Number(line), message }]
  })
}

export default TextImport
