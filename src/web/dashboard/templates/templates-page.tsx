import { useNavigate } from 'react-router'
import { isSondage } from '#domain/questionnaire/quiz.ts'
import { ScreenHeader } from '#web/ui/screen-header.tsx'
import TemplateGallery from './template-gallery.tsx'

/**
 * Shows the gallery with one template opened, for creators who come from its public page. It opens the new questionnaire
 * itself, because sharing `useOpenNewQuiz` would give the dashboard one more file to load.
 */
export default function TemplatesPage({ template_key }: { template_key: string }) {
  const navigate = useNavigate()
  return (
    <div className="mx-auto flex w-full max-w-5xl flex-col gap-6 p-4 sm:p-6">
      <ScreenHeader
        title="Partir d’un modèle"
        back={{ to: '/dashboard', label: 'Retour au tableau de bord' }}
      />
      <TemplateGallery
        onCreated={(quiz) =>
          void navigate(`/quiz/${quiz.id}/${isSondage(quiz) ? 'questions' : 'results'}`)
        }
        opened={template_key}
      />
    </div>
  )
}
