import { Check, Copy, CopyPlus, ExternalLink, Trash2 } from 'lucide-react'
import { Link } from 'react-router'
import { isPublished, type Quiz } from '#domain/quiz.ts'
import type { QuizType } from '#domain/vocabulary.ts'
import { StatusBadge } from '#web/ui/badge.tsx'
import { Button, ButtonLink, IconButton } from '#web/ui/button.tsx'
import { useDialogs } from '#web/ui/dialogs.tsx'
import { useCopy } from '#web/ui/use-copy.ts'
import { CARD } from './card-styles.ts'
import { editPath } from './quiz-list.ts'

const TYPES: Record<QuizType, string> = { quiz: 'Quiz', sondage: 'Sondage' }

/** Id of the main link of a card, which gets the focus after its neighbour is deleted. */
export const mainLinkId = (id: string): string => `quiz-${id}`

type Props = { quiz: Quiz; isCopying: boolean; onCopy: () => void; onRemove: () => void }

/** One questionnaire of the list: its kind, its status and its actions (spec §2 « Dashboard »). */
export const QuizCard = ({ quiz, isCopying, onCopy, onRemove }: Props) => {
  const { id, name, type, status } = quiz
  const count = `${quiz.nb_responses} réponse(s)`
  return (
    <article aria-labelledby={mainLinkId(id)} className={CARD}>
      <div className="flex items-start gap-2">
        <h2 className="min-w-0 flex-1 pt-1.5 text-base font-semibold wrap-anywhere">
          <Link
            id={mainLinkId(id)}
            to={editPath(quiz)}
            className="underline-offset-2 hover:underline"
          >
            {name}
          </Link>
        </h2>
        <IconButton
          label={`Dupliquer ${name}`}
          icon={<CopyPlus aria-hidden="true" />}
          aria-busy={isCopying || undefined}
          onClick={onCopy}
          className="-mr-2 aria-busy:cursor-progress aria-busy:opacity-50 max-sm:-my-1 max-sm:size-11"
        />
        <IconButton
          label={`Supprimer ${name}`}
          icon={<Trash2 aria-hidden="true" />}
          onClick={onRemove}
          className="-mr-2 max-sm:-my-1 max-sm:size-11"
        />
      </div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-2">
        <StatusBadge status={status} />
        <span>{TYPES[type]}</span>
        <Link
          to={`/quiz/${id}/statistics`}
          aria-label={`${count} — ${name}`}
          className="inline-flex min-h-8 items-center text-brand tabular-nums underline underline-offset-2 max-sm:min-h-11"
        >
          {count}
        </Link>
      </div>
      <div className="mt-auto flex flex-wrap gap-1 max-sm:*:min-h-11">
        <ButtonLink to={editPath(quiz)} aria-label={`Modifier ${name}`}>
          Modifier
        </ButtonLink>
        {isPublished(quiz) && <PublicLink quiz={quiz} />}
      </div>
    </article>
  )
}

/** Opens and copies the address where visitors take the quiz. */
const PublicLink = ({ quiz: { id, name } }: { quiz: Pick<Quiz, 'id' | 'name'> }) => {
  const path = `/q/${id}`
  const { isCopied, copy } = useCopy()
  const { alert } = useDialogs()
  const words = isCopied ? 'Copié' : 'Copier le lien'

  const copyLink = async (): Promise<void> => {
    const link = `${window.location.origin}${path}`
    // Without a clipboard the link is shown, to copy by hand.
    if (!(await copy(link))) await alert(link, { title: 'Lien public' })
  }

  return (
    <>
      <ButtonLink
        to={path}
        variant="ghost"
        target="_blank"
        rel="noreferrer"
        aria-label={`Ouvrir ${name} (nouvel onglet)`}
        icon={<ExternalLink aria-hidden="true" />}
      >
        Ouvrir
      </ButtonLink>
      <Button
        variant="ghost"
        aria-label={`${words} – ${name}`}
        icon={isCopied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
        onClick={copyLink}
        className="min-w-34 justify-start"
      >
        {words}
      </Button>
      <span role="status" className="sr-only">
        {isCopied ? 'Lien copié' : ''}
      </span>
    </>
  )
}
