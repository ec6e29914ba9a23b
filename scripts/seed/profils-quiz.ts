import type { Demo } from './demo.ts'

const [CALM, BOLD, WARM] = ['L’épurée', 'L’audacieuse', 'La chaleureuse']

/** Demo quiz by profiles. */
export const profilsQuiz: Demo = {
  name: 'Quelle ambiance pour votre boutique ?',
  type: 'quiz',
  lean: 1,
  page: {
    bg_color: '#fdf3ea',
    text_color: '#4a2c1d',
    button_color: '#b5481f',
    button_text_color: '#ffffff',
    accent_color: '#b5481f',
    font: 'lora',
    corners: 'round',
    welcome_title: 'Quelle ambiance pour votre boutique ?',
    welcome_text:
      'Quatre questions, une minute. À la fin : **votre style**, et trois idées de vitrine à reprendre.',
    welcome_scene: 'shop',
    logo_scene: 'mark',
    shows_detail: true,
    allows_restart: true,
  },
  results: [
    {
      name: CALM,
      description:
        'Du blanc, du lin, de l’air. Peu d’objets, **bien choisis**, et de la lumière.\n\nPour commencer :\n\n- videz une étagère sur trois ;\n- gardez une seule matière claire ;\n- laissez la lumière entrer.',
      scene: 'linen',
      button_text: 'Réserver un échange',
      button_url: 'https://exemple.fr/echange?style={{résultat}}',
    },
    {
      name: BOLD,
      description:
        'Une couleur franche, un mur qui surprend, une vitrine qui change **chaque mois**.\n\nPour commencer :\n\n- peignez le mur du fond ;\n- montrez un seul objet, très grand ;\n- annoncez la prochaine vitrine.',
      scene: 'bold',
      button_text: 'Réserver un échange',
      button_url: 'https://exemple.fr/echange?style={{résultat}}',
    },
    {
      name: WARM,
      description:
        'Du bois, des plantes, un coin où s’asseoir : on vient aussi pour *rester*.\n\nPour commencer :\n\n- posez deux fauteuils près de l’entrée ;\n- baissez la lumière le soir ;\n- offrez une boisson chaude.',
      scene: 'warm',
      button_text: 'Réserver un échange',
      button_url: 'https://exemple.fr/echange?style={{résultat}}',
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
        question: 'Quel lieu vous inspire ?',
        type: 'multiple_choice',
        answers: [
          { text: 'Un atelier', results: [CALM], scene: 'workshop' },
          { text: 'Une serre', results: [WARM], scene: 'greenhouse' },
          { text: 'Un théâtre', results: [BOLD], scene: 'theatre' },
          { text: 'Un marché', results: [WARM, BOLD], scene: 'market' },
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
