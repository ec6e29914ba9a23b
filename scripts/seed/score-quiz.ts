import type { Demo } from './demo.ts'

/** Demo quiz by score. */
export const scoreQuiz: Demo = {
  name: 'Êtes-vous prêt à lancer votre activité ?',
  type: 'quiz',
  lean: 1,
  page: { shows_detail: true, allows_restart: true },
  results: [
    {
      name: 'Le temps de la réflexion',
      description:
        'Votre idée mérite d’être nourrie. Parlez-en à trois personnes concernées, notez ce qui revient, et fixez-vous une première date.',
      min_score: 0,
      max_score: 5,
      button_text: 'Télécharger le guide',
      button_url: 'https://exemple.fr/guide',
    },
    {
      name: 'Les fondations sont là',
      description:
        'Vous savez pour qui et pourquoi. Il reste à mettre un prix, à dire non, et à montrer une première version.',
      min_score: 6,
      max_score: 10,
      button_text: 'Télécharger le guide',
      button_url: 'https://exemple.fr/guide',
    },
    {
      name: 'Prêt à ouvrir',
      description:
        'Tout est en place, avec **{{score}} points**. Ouvrez les inscriptions cette semaine : les derniers réglages se feront avec vos premiers clients.',
      min_score: 11,
      max_score: 15,
      button_text: 'Ouvrir mes inscriptions',
      button_url: 'https://exemple.fr/inscriptions',
    },
  ],
  pages: [
    [
      { text_block: 'Cinq questions, deux minutes. Répondez comme cela vient.' },
      {
        question: 'Savez-vous à qui vous vous adressez ?',
        type: 'multiple_choice',
        answers: [
          { text: 'À tout le monde', score: 0 },
          { text: 'À un métier ou une situation', score: 2 },
          { text: 'Je peux citer cinq personnes', score: 3 },
        ],
      },
      {
        question: 'Votre offre tient-elle en une phrase ?',
        type: 'multiple_choice',
        answers: [
          { text: 'Pas encore', score: 0 },
          { text: 'À peu près', score: 1 },
          { text: 'Oui, et on me comprend', score: 3 },
        ],
      },
    ],
    [
      {
        question: 'Avez-vous annoncé un prix à quelqu’un ?',
        type: 'multiple_choice',
        answers: [
          { text: 'Jamais', score: 0 },
          { text: 'Une fois, pour voir', score: 2 },
          { text: 'Oui, et on a dit oui', score: 3 },
        ],
      },
      {
        question: 'Combien d’heures par semaine lui donnez-vous ?',
        type: 'multiple_choice',
        answers: [
          { text: 'Moins de 3 heures', score: 1 },
          { text: 'De 3 à 10 heures', score: 2 },
          { text: 'Plus de 10 heures', score: 3 },
        ],
      },
    ],
    [
      {
        question: 'Qui vous soutient ?',
        type: 'multiple_choice',
        answers: [
          { text: 'Personne pour l’instant', score: 0 },
          { text: 'Des proches', score: 2 },
          { text: 'Un groupe ou un mentor', score: 3 },
        ],
      },
      { question: 'Où vous envoyer vos conseils ?', type: 'email' },
    ],
  ],
}
