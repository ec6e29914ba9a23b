import type { LegalConfig } from '#server/config.ts'
import type { HtmlPage } from '#server/http/html-page.ts'
import { facts, writeLegalPage } from './legal-page.ts'

/** /accessibilite: what was tested, what was not, and what is known to be missing (RGAA). */
export const writeAccessibilityPage = (legal: LegalConfig): HtmlPage =>
  writeLegalPage('/accessibilite', legal, [
    {
      title: 'État de conformité',
      content: [
        'Quizaine est conçu pour être utilisable par tous, en visant le niveau AA des règles WCAG 2.2. Aucun audit de conformité au RGAA n’a été réalisé par une personne indépendante : ce site ne déclare donc aucun taux de conformité, et doit être tenu pour non conforme au sens de la loi tant qu’un tel audit n’a pas eu lieu.',
      ],
    },
    {
      title: 'Ce qui est testé',
      content: [
        'À chaque version du logiciel, dans le navigateur Chromium :',
        [
          'les règles automatiques d’axe-core pour WCAG 2.0, 2.1 et 2.2, niveaux A et AA, sur les écrans de création, de statistiques et de compte, et sur la page publique, dans plusieurs de leurs états ;',
          'des parcours entiers au clavier : créer, ordonner, publier et répondre, sans glisser-déposer ;',
          'la page publique sans JavaScript, en grand contraste, en couleurs forcées et sur un écran de 320 pixels.',
        ],
        'Ce qui n’est pas testé : l’usage réel avec un lecteur d’écran, une commande vocale ou une loupe, les autres navigateurs, et les essais avec des personnes concernées. Les règles automatiques ne trouvent qu’une partie des défauts.',
      ],
    },
    {
      title: 'Contenus non accessibles connus',
      content: [
        [
          'Les couleurs d’un questionnaire sont choisies par la personne qui l’a créé, et peuvent manquer de contraste ; l’éditeur l’en avertit, et le bouton « Contraste renforcé » de la page publique en affiche de lisibles.',
          'Les couleurs par défaut du bouton de la page publique n’ont pas un contraste suffisant.',
          'Les textes, et leur clarté, dépendent de la personne qui a créé le questionnaire.',
        ],
      ],
    },
    {
      title: 'Signaler un défaut',
      content: [
        'Si vous n’arrivez pas à utiliser une page, écrivez au contact ci-dessous en indiquant son adresse : une solution, ou le contenu sous une autre forme, doit vous être proposée.',
        facts([['Contact', legal.contact]]),
        'Si vous ne recevez pas de réponse satisfaisante, vous pouvez saisir le Défenseur des droits : formulaire.defenseurdesdroits.fr, téléphone 09 69 39 00 00, ou par courrier gratuit, sans timbre : Défenseur des droits, Libre réponse 71120, 75342 Paris CEDEX 07.',
      ],
    },
  ])
