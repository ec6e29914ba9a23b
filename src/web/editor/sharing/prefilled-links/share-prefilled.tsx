import { Wand2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { Quiz } from '#domain/questionnaire/quiz.ts'
import { Button } from '#web/ui/button.tsx'
import { lazyPart } from '#web/ui/feedback/lazy-part.tsx'
import { HelpLink } from '#web/ui/help-link.tsx'

const PrefilledLinks = lazyPart(
  () => import('./prefilled-links.tsx'),
  'Les liens préremplis n’ont pas pu être chargés.',
)

/** Introduces prefilled links in the share dialog, and shows their form after a press. */
export const SharePrefilled = ({ link, quiz }: { link: string; quiz: Pick<Quiz, 'id'> }) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <section
      aria-labelledby="share-prefilled"
      className="mt-5 flex flex-col gap-3 border-t border-line pt-4"
    >
      <div className="flex items-center justify-between gap-2">
        <h3 id="share-prefilled" className="text-sm font-medium">
          Lien prérempli
        </h3>
        <HelpLink about="lien prérempli" page="liens-preremplis" />
      </div>
      <p className="text-sm text-ink-2">
        Un lien peut écrire le prénom ou une réponse à la place de la personne. Elle voit ces
        réponses, les corrige et les confirme elle-même : un lien n’envoie rien et ne coche aucun
        consentement.
      </p>
      <div>
        <Button
          icon={<Wand2 aria-hidden="true" />}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          Préparer un lien prérempli
        </Button>
      </div>
      {isOpen && (
        <Suspense fallback={null}>
          <PrefilledLinks link={link} quiz={quiz} />
        </Suspense>
      )}
    </section>
  )
}
