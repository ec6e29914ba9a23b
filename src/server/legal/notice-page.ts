import type { LegalConfig } from '#server/config.ts'
import type { HtmlPage } from '#server/http/html-page.ts'
import { facts, writeLegalPage } from './legal-page.ts'

/** /mentions-legales: who publishes and hosts this site (LCEN art. 6 III). */
export const writeNoticePage = (legal: LegalConfig): HtmlPage =>
  writeLegalPage('/mentions-legales', legal, [
    {
      title: 'Éditeur',
      content: [
        facts([
          ['Exploitant', legal.operator],
          ['Adresse', legal.address],
          ...(legal.registration
            ? ([['Immatriculation', legal.registration]] satisfies [string, string][])
            : []),
          ['Contact', legal.contact],
          ['Directeur ou directrice de la publication', legal.publisher],
        ]),
      ],
    },
    { title: 'Hébergeur', content: [facts([['Hébergeur', legal.host]])] },
    {
      title: 'Contenus des questionnaires',
      content: [
        'Chaque quiz et chaque sondage est rédigé et publié par la personne qui l’a créé, sous sa responsabilité. Pour signaler un contenu illicite, écrivez au contact ci-dessus en indiquant l’adresse de la page.',
      ],
    },
    {
      title: 'Sécurité',
      content: [
        'Pour signaler une faille de sécurité, écrivez au contact ci-dessus sans la rendre publique ; n’accédez pas aux données d’autres personnes pour la démontrer.',
      ],
    },
  ])
