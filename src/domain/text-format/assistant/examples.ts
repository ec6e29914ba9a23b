import type { QuizType } from '#domain/common/vocabulary.ts'

const PROFILES = `# Quel est votre style ?
Type : quiz
Mode : profils

## Accueil
Titre : Deux minutes pour mieux vous connaître
Bouton : C’est parti
> Trois questions, et un **conseil** à la fin.

## Résultats

### Méthodique
> Vous aimez **prévoir** avant d’agir.

### Spontané
> Vous avancez, puis vous ajustez.
Bouton : Découvrir la méthode
Adresse du bouton : https://exemple.fr/methode

## Page 1

### Comment commencez-vous une journée ?
- Avec une liste -> Méthodique ×2
- Avec le plus urgent -> Méthodique, Spontané
- On verra après le café -> Spontané ×2

## Page 2

### Où vous envoyer votre résultat ?
Réponse : email
Obligatoire : non
`

const SCORE = `# Où en êtes-vous ?
Type : quiz
Mode : score

## Résultats

### À relancer
Palier : 2 à 11
> Choisissez **un seul** domaine pour commencer.

### Bien parti
Palier : 12 à 20
> Continuez : vous avez de bons appuis.

## Dimensions
Graphique : radar

### Santé
- 0 à 49 % : À nourrir
> Commencez par le sommeil.
- 50 à 100 % : Point d’appui
> Gardez vos habitudes.

### Travail
- 0 à 49 % : À nourrir
- 50 à 100 % : Point d’appui

## Page 1

### Votre énergie, ces dernières semaines ?
Réponse : échelle de 1 à 10
Libellé du début : Épuisé
Libellé de la fin : En pleine forme
Compte dans le score : oui
Dimension : Santé

### Votre travail vous intéresse ?
Dimension : Travail
- Rarement [+1]
- Souvent [+5]
- Presque toujours [+10]
`

const SONDAGE = `# Votre avis sur l’atelier
Type : sondage

## Accueil
Titre : Trois questions, une minute
Bouton : Donner mon avis

## Page 1

### Recommanderiez-vous cet atelier ?
Réponse : échelle de 0 à 10
Libellé du début : Pas du tout
Libellé de la fin : Tout à fait

### Qu’avez-vous apprécié ?
Réponse : plusieurs choix
Autre : oui
- Le contenu
- Les échanges
- Le rythme

## Page 2

### Que changeriez-vous ?
Réponse : texte long
Obligatoire : non

## Fin
Titre : Merci pour votre avis
> Il nous aide à préparer la suite.
`

/** Complete examples of the instruction, by the kind of questionnaire. */
export const EXAMPLES: Record<QuizType, readonly string[]> = {
  quiz: [PROFILES, SCORE],
  sondage: [SONDAGE],
}
