import type { LegalConfig } from '#server/config.ts'
import type { HtmlPage } from '#server/http/html-page.ts'
import { facts, given, writeLegalPage } from './legal-page.ts'

/** /confidentialite: what is done with the data of participants and of creators (RGPD art. 13 and 14). */
export const writePrivacyPage = (legal: LegalConfig): HtmlPage =>
  writeLegalPage('/confidentialite', legal, [
    {
      title: 'Vous répondez à un quiz ou à un sondage',
      content: [
        'La personne qui a créé le questionnaire décide de ses questions et reçoit vos réponses : elle en est responsable au sens du RGPD. L’exploitant de ce site les héberge pour elle, comme sous-traitant. Pour exercer vos droits, adressez-vous d’abord à elle ; à défaut, à l’exploitant, qui lui transmettra.',
        'Ce qui est enregistré :',
        [
          'vos réponses, votre résultat et le moment de votre participation ;',
          'votre adresse email ou votre numéro, seulement si une question le demande et que vous répondez ;',
          'votre accord pour recevoir des emails, avec le texte exact de la case, si vous la cochez ;',
          'ce que dit l’adresse par laquelle vous êtes venu, quand elle le dit : le nom d’une campagne, par exemple, ou ce que la personne qui a créé le questionnaire y a ajouté ;',
          'la durée de la participation et un indice de saisie automatique, pour repérer les robots.',
        ],
        'Si le questionnaire annonce un email, il vous est envoyé une fois, par ce site. Chacun contient un lien pour ne plus en recevoir de cet auteur : seule une empreinte de votre adresse est alors gardée, pour respecter ce choix.',
        'Ni votre adresse IP ni votre navigateur ne sont enregistrés avec vos réponses. Vous n’êtes pas suivi : aucun cookie, aucun traceur, aucune police ni image d’un autre site. L’onglet garde vos réponses jusqu’à sa fermeture, pour qu’un rechargement ne perde rien. Celles qui n’ont pas encore pu être envoyées restent sur votre appareil, et en sont effacées une fois qu’elles le sont. Le nombre de personnes parvenues à chaque page est compté sans rien retenir d’elles.',
        'La base légale est choisie par la personne qui a créé le questionnaire : votre consentement, en général, puisque vous répondez librement. La transmission de votre adresse à son outil d’emailing a lieu avec votre accord, donné par une case non cochée d’avance ou, là où il n’y a pas de case, parce que le questionnaire annonce cet envoi. Vous pouvez retirer cet accord à tout moment, par le lien de désinscription de chaque email ou en lui écrivant.',
        'Vos réponses sont conservées jusqu’à ce que la personne qui a créé le questionnaire les supprime, ou pendant la durée qu’elle a fixée (6, 12 ou 36 mois).',
      ],
    },
    {
      title: 'Vous créez des quiz',
      content: [
        'L’exploitant de ce site est responsable des données de votre compte, nécessaires au service que vous demandez (exécution du contrat) et à sa sécurité (intérêt légitime) :',
        [
          'votre adresse email, et votre numéro si vous l’ajoutez ; votre mot de passe, sous une forme qui ne permet pas de le retrouver ; vos seconds facteurs ;',
          'vos questionnaires et leurs réponses, jusqu’à leur suppression ;',
          'vos connexions aux outils d’emailing, dont les clés sont chiffrées ;',
          'vos sessions, avec le nom de votre navigateur, et pendant 90 jours une empreinte des réseaux d’où vous vous êtes connecté, pour qu’une attaque venue d’ailleurs ne vous bloque pas ;',
          'un journal de sécurité (connexions, changements de mot de passe, publications, suppressions, exports), avec le seul réseau d’où vient l’appel et sans votre adresse email, pendant douze mois.',
        ],
        'Les paramètres de votre compte permettent d’en télécharger toutes les données et de le supprimer, tout de suite et définitivement. Les sauvegardes chiffrées ou non que fait l’exploitant contiennent encore ces données jusqu’à leur remplacement.',
        'Une session est gardée dans le stockage de votre navigateur, et effacée à la déconnexion. Pendant la connexion de votre compte Kit, ou par le compte d’un autre service, un cookie de dix minutes au plus, strictement nécessaire, protège l’opération. De même après votre inscription, quand votre adresse reste à confirmer : un cookie d’un jour y reconnaît le navigateur où vous avez choisi votre mot de passe.',
      ],
    },
    {
      title: 'Destinataires et transferts',
      content: [
        'Les données sont lues par la personne qui a créé le questionnaire, et par les personnes qui administrent ce site. Elles ne sont ni vendues ni utilisées pour de la publicité.',
        'Si elle l’a choisi et que vous avez accepté, votre adresse et votre résultat sont transmis à son outil d’emailing : Brevo (France), Systeme.io, ou Kit, établi aux États-Unis. La personne qui a créé le questionnaire répond de ce choix et de l’encadrement de ce transfert.',
        { html: facts([['Hébergeur', legal.host]]).html },
      ],
    },
    {
      title: 'Vos droits',
      content: [
        'Vous pouvez demander l’accès à vos données, leur rectification, leur effacement, leur portabilité, la limitation de leur traitement, ou vous y opposer. Vous pouvez aussi adresser une réclamation à la CNIL (www.cnil.fr).',
        facts([
          ['Exploitant de ce site', legal.operator],
          ['Contact', legal.contact],
          [
            'Délégué à la protection des données',
            legal.dpo ?? `Aucun n’est désigné. ${legal.contact ? '' : given(undefined)}`.trim(),
          ],
        ]),
      ],
    },
  ])
