import { Info } from 'lucide-react'
import { isSondage, type Quiz } from '#domain/quiz.ts'

/** The info box of the results screen (spec §2). */
export const HowItWorks = ({ quiz }: { quiz: Pick<Quiz, 'type'> }) => (
  <section className="flex gap-3 rounded-xl bg-brand-wash p-4 text-sm text-ink">
    <Info aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-brand" />
    <div>
      <h2 className="font-medium">Comment ça marche ?</h2>
      <p className="mt-1 text-ink-2">
        {isSondage(quiz)
          ? 'Un sondage ne calcule aucun résultat : cette étape est facultative.'
          : 'Créez au moins 2 résultats : ce sont les fins possibles du quiz. Vous leur associerez ensuite vos réponses, par des scores ou par des profils. En cas d’égalité, le plus haut de la liste l’emporte.'}
      </p>
    </div>
  </section>
)
