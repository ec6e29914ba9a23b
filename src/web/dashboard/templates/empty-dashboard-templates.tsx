import { FilePlus2 } from 'lucide-react'
import { useOpenNewQuiz } from '#web/dashboard/creation/use-open-new-quiz.ts'
import { Button } from '#web/ui/button.tsx'
import TemplateGallery from './template-gallery.tsx'

/** Shows the templates on a dashboard without questionnaires, after a card for the blank page. */
export default function EmptyDashboardTemplates({ onBlank }: { onBlank: () => void }) {
  const open = useOpenNewQuiz()
  return (
    <section aria-labelledby="empty-dashboard-templates" className="flex flex-col gap-4">
      <h2 id="empty-dashboard-templates" className="text-lg font-semibold">
        Partir d’un modèle, ou d’une page blanche
      </h2>
      <TemplateGallery onCreated={open} first={<BlankCard onBlank={onBlank} />} />
    </section>
  )
}

const BlankCard = ({ onBlank }: { onBlank: () => void }) => (
  <div className="flex h-full min-h-56 flex-col items-center justify-center gap-3 rounded-xl border border-dashed border-line p-6 text-center">
    <FilePlus2 aria-hidden="true" className="size-8 text-ink-3" />
    <h3 className="font-semibold">Page blanche</h3>
    <p className="text-ink-2">Un quiz ou un sondage, question par question.</p>
    <Button onClick={onBlank}>Commencer</Button>
  </div>
)
