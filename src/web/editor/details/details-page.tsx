import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { DEFAULT_QUIZ_NAME, UNPUBLISHED } from '#domain/common/vocabulary.ts'
import { client } from '#web/api/client.ts'
import { quizzesQuery } from '#web/api/queries.ts'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import { useDraft } from '#web/editor/draft/use-draft.ts'
import { type Details, useSaveDetails } from '#web/editor/draft/use-save-details.ts'
import { EditorGate } from '#web/editor/frame/editor-gate.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { lazyPart } from '#web/ui/feedback/lazy-part.tsx'
import { Loading } from '#web/ui/feedback/screen-state.tsx'
import { DetailsForm } from './details-form.tsx'

const NEW_QUIZ: Details = { name: DEFAULT_QUIZ_NAME, type: 'quiz', status: UNPUBLISHED }

const TemplatesPage = lazyPart<{ template_key: string }>(
  () => import('#web/dashboard/templates/templates-page.tsx'),
  'Les modèles n’ont pas pu être chargés.',
)

/** Shows the quiz edit screen (product 7.5). Without an id, or with the id 'new', the form creates a quiz. */
const DetailsPage = () => {
  const { id } = useParams()
  if (!id || id === 'new') return <NewQuiz />
  return <EditorGate>{(session) => <KnownQuiz session={session} />}</EditorGate>
}

const NewQuiz = () => {
  const creation = useCreateQuiz()
  // The public page of a template leads here (product 7.17).
  const template_key = useSearchParams()[0].get('modele')
  if (template_key !== null)
    return (
      <Suspense fallback={<Loading text="Chargement..." />}>
        <TemplatesPage template_key={template_key} />
      </Suspense>
    )
  return (
    <DetailsForm
      title="Nouveau questionnaire"
      action="Créer le quiz"
      details={NEW_QUIZ}
      isNew
      saving={creation}
      onSave={creation.mutate}
    />
  )
}

/** Returns a mutation that creates a quiz and opens its edit screen (product 7.5). */
const useCreateQuiz = () => {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: ({ name, type }: Details) => client.quizzes.create({ body: { name, type } }),
    onSuccess: async ({ quiz }) => {
      await queryClient.invalidateQueries({ queryKey: quizzesQuery().queryKey, exact: true })
      await navigate(`/quiz/${quiz.id}/edit`, { replace: true })
    },
  })
}

const KnownQuiz = ({ session }: { session: DraftSession }) => {
  const { quiz } = useDraft(session).draft
  const saving = useSaveDetails(session)
  return (
    <DetailsForm
      title="Modifier le questionnaire"
      action="Sauvegarder"
      details={quiz}
      saving={saving}
      onSave={saving.mutate}
    >
      <ButtonLink to={`/quiz/${quiz.id}/questions`} variant="secondary">
        Ajouter des questions →
      </ButtonLink>
    </DetailsForm>
  )
}

export default DetailsPage
