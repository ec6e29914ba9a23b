import { parseText } from '#domain/text-format/parse-text.ts'
import { printText } from '#domain/text-format/print-text.ts'

/** Returns the text as the product prints it after reading, or the errors of the text. */
export const printed = (text: string): string | string[] => {
  const parsed = parseText(text)
  if ('draft' in parsed) return printText(parsed.draft)
  return parsed.errors.map(({ line, message }) => `${line}: ${message}`)
}

/** Text without slips, as the product prints it. */
export const CLEAN = `# Quel rythme ?
Type : quiz
Mode : profils

## Accueil
Titre : Bonjour

## Résultats

### L’Ambrée
> Un.
>
> Deux.

### Vif
Bouton : Voir
Adresse du bouton : https://exemple.fr/a

## Page 1

### Debout ?
- Oui -> L’Ambrée ×2
- Non -> Vif => fin

## Page 2

### Votre adresse ?
Réponse : email
Obligatoire : non
`
/** Returns the clean text with one part replaced. */
const withSlip = (part: string, slip: string): string => {
  if (!CLEAN.includes(part)) throw new Error(part)
  return CLEAN.replace(part, slip)
}

/** Texts with slips that are read like the clean text. */
export const slips: [name: string, text: string][] = [
  ['a code fence', `\`\`\`text\n${CLEAN}\`\`\``],
  [
    'a fence between sentences',
    `Voici :\n\n\`\`\`\n${CLEAN}\`\`\`\n\nN’hésitez pas :\n- un\n- deux`,
  ],
  ['a fence that is not closed', `Voici le texte :\n\`\`\`markdown\n${CLEAN}`],
  [
    'sentences without a fence',
    `Bien sûr !\n\nVoici votre quiz :\n\n${CLEAN}\nVoulez-vous un autre quiz ?`,
  ],
  ['Windows line ends and spaces at line ends', `Voici.\n${CLEAN}`.replaceAll('\n', '  \r\n')],
  ['blank lines with spaces', `Voici.\n${CLEAN}`.replaceAll('\n\n', '\n \u00a0\t\n')],
  ['rules between the parts', CLEAN.replaceAll('\n\n', '\n\n---\n\n')],
  ['a name in bold', withSlip('# Quel rythme ?', '**Quel rythme ?**')],
  ['a name after « Titre : »', withSlip('# Quel rythme ?', 'Titre : Quel rythme ?')],
  ['parts in bold', CLEAN.replaceAll(/^## (.*)$/gm, '**$1**')],
  ['headings in bold', `Voici.\n${CLEAN.replaceAll(/^(#+) (.*)$/gm, '$1 **$2**')}`],
  ['headings that are closed', `Voici.\n${CLEAN.replaceAll(/^(#+) (.*)$/gm, '$1 $2 $1')}`],
  ['parts with an emoji and a colon', CLEAN.replaceAll(/^## (.*)$/gm, '## 🎯 $1 :')],
  ['parts at the level of the name', CLEAN.replaceAll(/^##(#?) /gm, '#$1 ')],
  ['results in bold', withSlip('### Vif', '**Vif**')],
  ['settings in bold', CLEAN.replaceAll(/^([A-ZÉ][^:>]*) : (.*)$/gm, '**$1 :** $2')],
  ['settings wholly in bold', CLEAN.replaceAll(/^(Type|Mode) : (.*)$/gm, '**$1 : $2**')],
  [
    'settings in a list',
    withSlip('Type : quiz\nMode : profils', '- Type : quiz\n- Mode : profils'),
  ],
  [
    'settings of a question in a list',
    `Voici.\n${withSlip('Réponse : email\nObligatoire : non', '- Réponse : email\n- Obligatoire : non')}`,
  ],
  [
    'quotation marks around values',
    CLEAN.replaceAll(/^(Type|Mode|Obligatoire) : (.*)$/gm, '$1 : « $2 »'),
  ],
  ['smart quotes around values', CLEAN.replaceAll(/^(Type|Mode|Réponse) : (.*)$/gm, '$1 : “$2”')],
  ['a full stop after values', CLEAN.replaceAll(/^(Type|Mode|Obligatoire) : (.*)$/gm, '$1 : $2.')],
  ['colons of other scripts', CLEAN.replaceAll(/^(Type|Mode|Titre) : /gm, '$1：')],
  ['no-break spaces', `Voici.\n${CLEAN}`.replaceAll(' ', '\u00a0')],
  ['narrow no-break spaces before colons', `Voici.\n${CLEAN}`.replaceAll(' : ', '\u202f: ')],
  ['zero-width characters', `Voici.\n${CLEAN}`.replaceAll(/^(?=[#-])/gm, '\u200b')],
  ['escaped signs', CLEAN.replaceAll(/^(?=[#>-])/gm, '\\')],
  [
    'an escaped arrow',
    withSlip('- Non -> Vif', String.raw`- Non -\> Vif`).replace('# Quel', 'Voici.\n# Quel'),
  ],
  ['numbered answers', withSlip('- Oui -> L’Ambrée ×2\n- Non', '1. Oui -> L’Ambrée ×2\n2. Non')],
  ['answers with 1)', withSlip('- Oui -> L’Ambrée ×2\n- Non', '1) Oui -> L’Ambrée ×2\n2) Non')],
  ['lettered answers', withSlip('- Oui -> L’Ambrée ×2\n- Non', 'a) Oui -> L’Ambrée ×2\nB. Non')],
  [
    'answers with dashes and bullets',
    withSlip('- Oui -> L’Ambrée ×2\n- Non', '– Oui -> L’Ambrée ×2\n◦ Non'),
  ],
  [
    'boxes before answers',
    withSlip('- Oui -> L’Ambrée ×2\n- Non', '– [ ] Oui -> L’Ambrée ×2\n– [x] Non'),
  ],
  ['answers in bold', withSlip('- Oui -> L’Ambrée ×2', '– **Oui** -> **L’Ambrée** ×2')],
  [
    'arrows',
    withSlip(
      '- Oui -> L’Ambrée ×2\n- Non -> Vif => fin',
      '– Oui → L’Ambrée (×2)\n– Non ⇒ Vif → fin',
    ),
  ],
  ['arrows with long dashes', withSlip('- Non -> Vif', '– Non —> Vif')],
  ['names without typographic signs', withSlip('- Oui -> L’Ambrée ×2', "- Oui -> L'ambree ×2")],
  ['an address as a link', withSlip('https://exemple.fr/a', '[la page](https://exemple.fr/a)')],
  ['an address in brackets', withSlip('https://exemple.fr/a', '<https://exemple.fr/a>')],
  ['a description without « > »', withSlip('> Un.\n>\n> Deux.', 'Un.\n\nDeux.')],
  ['two quotes as one description', withSlip('> Un.\n>\n> Deux.', '> Un.\n\n> Deux.')],
  ['« Questions » as the first page', withSlip('## Page 1', '## Questions')],
  ['numbered questions', withSlip('### Debout ?', '1. **Debout ?**')],
  ['« Question 1 » above the question', withSlip('### Debout ?', '**Question 1**\n\nDebout ?')],
  ['« Question 1 : » before the question', withSlip('### Debout ?', '#### Question 1 : Debout ?')],
  [
    'questions as parts',
    withSlip('## Page 1\n\n### Debout ?', '## Question 1 : Debout ?')
      .replace('## Page 2\n\n### Votre', '## Question 2\n\n**Votre')
      .replace('adresse ?', 'adresse ?**'),
  ],
  ['a heading above the answers', withSlip('- Oui', '#### Réponses :\n- Oui')],
]
