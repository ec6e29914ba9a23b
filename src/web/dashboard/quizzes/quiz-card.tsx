import {
  ArrowLeftRight,
  CopyPlus,
  Download,
  Ellipsis,
  ExternalLink,
  EyeOff,
  FileText,
  FolderInput,
  Pencil,
  Trash2,
} from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { Link } from 'react-router'
import type { QuizType } from '#domain/common/vocabulary.ts'
import { publicPath } from '#domain/questionnaire/access.ts'
import { isUnopened } from '#domain/questionnaire/access-dates.ts'
import { isPublished, type Quiz } from '#domain/questionnaire/quiz.ts'
import { startQuizDrag } from '#web/dashboard/folders/quiz-drag.ts'
import { PUBLICATION_REQUEST } from '#web/editor/fields/publication-request.ts'
import { ClosedBadge, StatusBadge } from '#web/editor/frame/quiz-badges.tsx'
import { Button, ButtonLink, IconButton } from '#web/ui/button.tsx'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { formatExactTime, formatMoment, formatRelativeTime } from '#web/ui/moments.ts'
import { useDialogs } from '#web/ui/overlay/dialogs.tsx'
import { Menu } from '#web/ui/overlay/menu.tsx'
import { useCopy } from '#web/ui/use-copy.ts'
import { findCardAfterKey } from './card-arrows.ts'
import { CardFigures } from './card-figures.tsx'
import { ACTIONS_ROW, CARD, CARD_BODY, KIND_ROW } from './card-styles.ts'
import type { QuizFigures } from './quiz-figures.ts'
import { editPath } from './quiz-list.ts'
import { QuizMiniature } from './quiz-miniature.tsx'

const TYPES: Record<QuizType, string> = { quiz: 'Quiz', sondage: 'Sondage' }

/** Returns the id of the main link of a card, which gets the focus after its neighbour is deleted. */
export const mainLinkId = (id: string): string => `quiz-${id}`

/** The actions in the menu of a card. */
export type CardActions = Record<
  | 'rename'
  | 'copy'
  | 'chooseFolder'
  | 'download'
  | 'downloadText'
  | 'changeType'
  | 'withdraw'
  | 'remove',
  (quiz: Quiz) => void
>

type Props = {
  quiz: Quiz
  figures: QuizFigures | null | undefined
  isCopying: boolean
  actions: CardActions
}

/** Renders one questionnaire of the list: its appearance, its figures and its actions (product 7.4). */
export const QuizCard = ({ quiz, figures, isCopying, actions }: Props) => {
  const { id, name, type, status, updated_at } = quiz
  return (
    <article
      aria-labelledby={mainLinkId(id)}
      aria-busy={isCopying || undefined}
      draggable
      onDragStart={(event) => startQuizDrag(event, id)}
      className={`${CARD} transition-shadow duration-120 hover:shadow-float`}
    >
      <QuizMiniature colors={quiz}>
        <h2 className="text-[15px] leading-5 font-semibold text-balance wrap-anywhere">
          <Link
            id={mainLinkId(id)}
            dir="auto"
            to={editPath(quiz)}
            onKeyDown={focusNeighbour}
            className="block underline-offset-2 after:absolute after:inset-0 hover:underline pointer-coarse:min-h-11"
          >
            {name}
          </Link>
        </h2>
        {isPublished(quiz) && figures?.has_unpublished_changes && <UnpublishedRibbon quiz={quiz} />}
      </QuizMiniature>
      <div className={CARD_BODY}>
        <p className={KIND_ROW}>
          <StatusBadge status={status} />
          <ClosedBadge quiz={quiz} />
          <OpeningBadge quiz={quiz} />
          <span>{TYPES[type]}</span>
          <time
            dateTime={updated_at}
            title={formatExactTime(updated_at)}
            className="ml-auto text-xs text-ink-3"
          >
            {`modifié ${formatRelativeTime(updated_at)}`}
          </time>
        </p>
        <CardFigures quiz={quiz} figures={figures} />
        <div className={ACTIONS_ROW}>
          <ButtonLink to={editPath(quiz)} aria-label={`Modifier ${name}`} className="max-sm:px-2">
            Modifier
          </ButtonLink>
          {isPublished(quiz) && <PublicLink quiz={quiz} />}
          <div className="ml-auto flex max-sm:-mr-2.5">
            <IconButton
              label={`Supprimer ${name}`}
              icon={<Trash2 aria-hidden="true" />}
              onClick={() => actions.remove(quiz)}
            />
            <CardMenu quiz={quiz} actions={actions} />
          </div>
        </div>
      </div>
    </article>
  )
}

/** Renders the opening day next to the status of a published quiz that opens later. */
const OpeningBadge = ({ quiz }: Pick<Props, 'quiz'>) =>
  isPublished(quiz) &&
  quiz.opens_at !== null &&
  isUnopened(quiz, Date.now()) && (
    <Badge tone="info">Ouvre le {formatMoment(quiz.opens_at, 'day')}</Badge>
  )

/** Shows over the miniature that visitors do not see the last edits, and leads to their publication. */
const UnpublishedRibbon = ({ quiz }: { quiz: Quiz }) => (
  <Link
    to={editPath(quiz)}
    state={PUBLICATION_REQUEST}
    className="absolute inset-x-0 bottom-0 z-10 flex min-h-8 items-center justify-between gap-2 bg-warn-wash px-5 text-xs font-medium text-warn pointer-coarse:min-h-11"
  >
    Modifications non publiées
    <span className="underline underline-offset-2">Publier</span>
    <span className="sr-only"> – {quiz.name}</span>
  </Link>
)

const focusNeighbour = (event: KeyboardEvent<HTMLElement>): void => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
  const neighbour = findCardAfterKey(event.currentTarget, event.key)
  if (!neighbour) return
  // Prevents scrolling.
  event.preventDefault()
  neighbour.focus()
}

/** Renders buttons that copy and open the public address of the quiz. */
const PublicLink = ({ quiz }: { quiz: Pick<Quiz, 'id' | 'name' | 'slug'> }) => {
  const { name } = quiz
  const path = publicPath(quiz)
  const { isCopied, copy } = useCopy()
  const { alert } = useDialogs()
  const words = isCopied ? 'Copié' : 'Copier le lien'

  const copyLink = async (): Promise<void> => {
    const link = `${location.origin}${path}`
    // The link is shown for copying by hand if the clipboard is not allowed.
    if (!(await copy(link))) await alert(link, { title: 'Lien public' })
  }

  return (
    <>
      <Button
        aria-label={`${words} – ${name}`}
        onClick={copyLink}
        className="max-sm:px-2 sm:min-w-28"
      >
        {words}
      </Button>
      <Link
        to={path}
        target="_blank"
        rel="noreferrer"
        aria-label={`Ouvrir ${name} (nouvel onglet)`}
        title="Ouvrir dans un nouvel onglet"
        className="inline-flex size-9 items-center justify-center rounded-md text-ink-2 transition-colors hover:bg-press hover:text-ink pointer-coarse:size-11 [&_svg]:size-4"
      >
        <ExternalLink aria-hidden="true" />
      </Link>
      <span role="status" className="sr-only">
        {isCopied ? 'Lien copié' : ''}
      </span>
    </>
  )
}

const CardMenu = ({ quiz, actions }: Pick<Props, 'quiz' | 'actions'>) => {
  const item = (label: string, Icon: typeof Pencil, act: keyof CardActions) => ({
    label,
    icon: <Icon aria-hidden="true" />,
    onSelect: () => actions[act](quiz),
  })
  return (
    <Menu
      label={`Actions – ${quiz.name}`}
      icon={<Ellipsis aria-hidden="true" />}
      groups={[
        {
          items: [
            item('Renommer', Pencil, 'rename'),
            item('Dupliquer', CopyPlus, 'copy'),
            item('Ranger dans un dossier', FolderInput, 'chooseFolder'),
            item('Exporter en texte', FileText, 'downloadText'),
            item('Exporter (JSON)', Download, 'download'),
            item('Changer le type', ArrowLeftRight, 'changeType'),
            ...(isPublished(quiz) ? [item('Dépublier', EyeOff, 'withdraw')] : []),
            { ...item('Supprimer', Trash2, 'remove'), danger: true },
          ],
        },
      ]}
    />
  )
}
