import type { Demo } from './demo.ts'

/** Demo sondage. */
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
          { text: 'Tout à fait', jump_to: 3 },
          { text: 'En grande partie', jump_to: 3 },
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
        question: 'Qu’est-ce qui vous a manqué ?',
        type: 'textarea',
        options: { is_required: false, help: 'Une phrase suffit.' },
        typed: ['Plus de temps pour pratiquer', 'Des exemples de mon métier', '', 'Une pause'],
      },
    ],
    [
      {
        question: 'Que faut-il garder ?',
        type: 'multiple_choice',
        options: { label: 'À garder', max_choices: null, has_other: true, shuffles_answers: true },
        answers: [
          { text: 'Les exemples' },
          { text: 'Le travail en petits groupes' },
          { text: 'Les pauses' },
          { text: 'La fiche à emporter' },
        ],
        typed: ['Le café', 'Votre bonne humeur', 'La salle'],
      },
      {
        question: 'Recommanderiez-vous cet atelier à un proche ?',
        type: 'scale',
        options: {
          label: 'Recommandation',
          scale_min_label: 'Pas du tout',
          scale_max_label: 'Sans hésiter',
        },
        typed: ['10', '10', '9', '9', '8', '8', '7', '6', '4'],
      },
    ],
    [
      {
        question: 'Quelle ville pour le prochain ?',
        type: 'text',
        options: { is_required: false },
        typed: ['Nantes', 'Lyon', '', 'Lille', 'Nantes', 'Toulouse', 'En ligne'],
      },
    ],
  ],
}
