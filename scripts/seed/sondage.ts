import type { Demo } from './demo.ts'

export const sondage: Demo = {
  name: 'Votre avis sur l’atelier de septembre',
  type: 'sondage',
  lean: 2,
  page: {
    font: 'nunito',
    end_title: 'Merci, c’est noté !',
    end_text: 'Les dates du prochain atelier arrivent **en janvier**.',
    end_button_text: 'Voir les prochains ateliers',
    end_button_url: 'https://exemple.fr/ateliers',
  },
  results: [],
  pages: [
    [
      {
        question: 'L’atelier a-t-il répondu à votre attente ?',
        type: 'multiple_choice',
        answers: [
          { text: 'Tout à fait' },
          { text: 'En grande partie' },
          { text: 'En partie' },
          { text: 'Pas du tout' },
        ],
      },
      {
        question: 'Le rythme était…',
        type: 'multiple_choice',
        answers: [{ text: 'Juste bien' }, { text: 'Trop rapide' }, { text: 'Trop lent' }],
      },
    ],
    [
      {
        question: 'Que faut-il garder ?',
        type: 'textarea',
        typed: [
          'Les exemples',
          'Le travail en petits groupes',
          'Les pauses',
          'La fiche à emporter',
        ],
      },
      {
        question: 'Quelle note lui donnez-vous, sur 10 ?',
        type: 'number',
        typed: ['10', '9', '9', '8', '7'],
      },
      {
        question: 'Quelle ville pour le prochain ?',
        type: 'text',
        typed: ['Nantes', 'Lyon', 'Lille', 'Nantes', 'Toulouse', 'En ligne'],
      },
    ],
  ],
}
