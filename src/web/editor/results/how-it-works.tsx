import { isSondage, type Quiz } from '#domain/quiz.ts'
import { InfoBox } from '#web/ui/info-box.tsx'

/** The info box of the results screen (spec §2). */
export const HowItWorks = ({ quiz }: { quiz: Pick<Quiz, 'type' | 'tie_rule'> }) => (
  <InfoBox id={`results-${quiz.type}`} title="Comment ça marche ?">
    {isSondage(quiz)
      ? 'Un sondage ne calcule aucun résultat : cette étape est facultative.'
      : `Créez au moins 2 résultats : ce sont les fins possibles du quiz. Vous leur associerez ensuite vos réponses, par des scores ou par des profils.${quiz.tie_rule === 'priority' ? ' En cas d’égalité, le plus haut de la liste l’emporte.' : ''}`}
  </InfoBox>
)
