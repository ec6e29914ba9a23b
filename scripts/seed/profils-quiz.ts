import type { Demo } from './demo.ts'

const [CALM, BOLD, WARM] = ['L’épurée', 'L’audacieuse', 'La chaleureuse']

export const profilsQuiz: Demo = {
  name: 'Quelle ambiance pour votre boutique ?',
  type: 'quiz',
  lean: 1,
  results: [
    {
      name: CALM,
      description: 'Du blanc, du lin, de l’air. Peu d’objets, bien choisis, et de la lumière.',
    },
    {
      name: BOLD,
      description: 'Une couleur franche, un mur qui surprend, une vitrine qui change chaque mois.',
    },
    {
      name: WARM,
      description: 'Du bois, des plantes, un coin où s’asseoir : on vient aussi pour rester.',
    },
  ],
  pages: [
    [
      {
        question: 'Votre vitrine idéale ?',
        type: 'multiple_choice',
        answers: [
          { text: 'Trois objets, pas un de plus', results: [CALM] },
          { text: 'Une mise en scène', results: [BOLD] },
          { text: 'De quoi donner envie d’entrer', results: [WARM] },
        ],
      },
      {
        question: 'La matière qui vous ressemble ?',
        type: 'multiple_choice',
        answers: [
          { text: 'Le lin', results: [CALM, WARM] },
          { text: 'Le métal', results: [BOLD] },
          { text: 'Le bois', results: [WARM] },
        ],
      },
    ],
    [
      {
        text_block: 'Encore une question, et votre adresse pour recevoir la planche d’inspiration.',
      },
      {
        question: 'Que doit-on se dire en sortant ?',
        type: 'multiple_choice',
        answers: [
          { text: '« C’est beau »', results: [CALM] },
          { text: '« Je n’avais jamais vu ça »', results: [BOLD] },
          { text: '« Je reviendrai »', results: [WARM] },
        ],
      },
    ],
    [{ question: 'Votre adresse e-mail ?', type: 'email' }],
  ],
}
