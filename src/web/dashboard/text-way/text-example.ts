/** A whole questionnaire in the text format, to begin from. */
export const TEXT_EXAMPLE = `# Quel est votre style ?
Type : quiz

## Accueil
Titre : Deux minutes pour mieux vous connaître
Bouton : C’est parti

## Résultats

### Méthodique
> Vous aimez **prévoir** avant d’agir.

### Spontané
> Vous avancez, puis vous **ajustez**.

## Page 1

### Comment commencez-vous une journée ?
- Avec une liste -> Méthodique ×2
- Avec un café, on verra après -> Spontané ×2
- Avec le plus urgent -> Méthodique, Spontané

## Page 2

### Où vous envoyer votre résultat ?
Réponse : e-mail
Obligatoire : non
`
