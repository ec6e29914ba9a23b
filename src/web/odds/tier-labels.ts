import type { ImpossibleTier, TierImpossibility } from '#domain/odds/dimension-odds.ts'

const quote = (name: string): string => `«\u00a0${name}\u00a0»`
const percent = (value: number): string => `${value}\u00a0%`

/** Returns the reason why no run gives a tier, as a clause without its name. */
export const tierImpossibilityReason = (why: TierImpossibility): string => {
  switch (why.kind) {
    case 'empty':
      return `il va de ${why.from} à ${percent(why.to)}, il ne contient aucun pourcentage`
    case 'hidden':
      return 'aucun parcours ne montre la dimension'
    case 'covered':
      return `ses pourcentages reviennent à ${why.by.map(quote).join(', ')}, plus haut dans la liste`
    case 'between': {
      const near = [why.below, why.above].flatMap((value) => (value === null ? [] : percent(value)))
      return `aucune combinaison de réponses ne donne de ${why.from} à ${percent(why.to)}, le plus proche est ${near.join(' ou ')}`
    }
  }
}

/** Returns a sentence about an impossible tier, with its name and the name of its dimension. */
export const impossibleTierSentence = ({ title, dimension_name, why }: ImpossibleTier): string =>
  `Le palier ${quote(title)} de ${quote(dimension_name)} ne peut pas sortir\u00a0: ${tierImpossibilityReason(why)}.`
