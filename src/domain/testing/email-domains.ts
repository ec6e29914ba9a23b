/** Domains of real addresses, and slips in the domains of the most used providers, both written by hand. */

const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '')

/** Real domains of five countries and of small or foreign providers, which are right as they are. */
export const REAL_DOMAINS: readonly string[] = wordsOf(`
  gmx.net gmx.de gmx.at gmx.com gmx.ch gmx.fr gmx.us mail.fr mail.com mail.be mail.ch mail.ru mail.de email.com email.fr
  email.it email.cz ymail.com rocketmail.com me.com mac.com icloud.com pm.me ik.me cloud.com fastmail.com fastmail.fm
  hushmail.com foxmail.com netmail.com tutanota.com tuta.io posteo.de mailbox.org zoho.com hey.com yandex.com
  hotmail.be hotmail.ch hotmail.ca hotmail.de hotmail.it hotmail.es hotmail.nl hotmail.co.uk live.be live.ca live.nl
  live.it live.co.uk outlook.be outlook.de outlook.es outlook.it msn.com windowslive.com yahoo.ca yahoo.de yahoo.it
  yahoo.es yahoo.be yahoo.co.uk aol.fr googlemail.com protonmail.ch
  orange.com orange.be orange.lu orange.sn orange.ci orange.ma orange.ml orange.bf sfr.com free.be laposte.fr
  bouyguestelecom.fr wanadoo.es wanadoo.nl neuf.com club.fr noos.fr voila.fr tiscali.fr infonie.fr 9online.fr
  9business.fr aliceadsl.fr cegetel.net numericable.com dbmail.com mailo.com mailoo.org netcourrier.com caramail.com
  lycos.fr magic.fr nordnet.fr ozone.net mel.fr ovh.net ovh.com gandi.net infomaniak.com infomaniak.ch online.fr
  iliad.fr scaleway.com alwaysdata.net amen.fr
  scarlet.be base.be belgacom.be brutele.be swing.be dommel.be edpnet.be chello.be tele2.be euphonynet.be win.be
  mobistar.be vooit.be telenetgroup.be proximus.com
  swisscom.com swisscom.ch sunrise.net vtx.ch netplus.ch romandie.com citycable.ch vsnet.ch net2000.ch quickline.ch
  green.ch solnet.ch tic.ch freesurf.ch bluemail.ch
  vo.lu tango.lu post.lu ptt.lu luxonline.lu pro.lu education.lu etat.lu uni.lu lih.lu list.lu vdl.lu cfl.lu bcee.lu
  spuerkeess.lu rtl.lu cargolux.com luxair.lu
  videotron.qc.ca globetrotter.qc.ca cgocable.ca rogers.com telus.net shaw.ca bellnet.ca bell.ca ebox.ca oricom.ca
  tlb.sympatico.ca b2b2c.ca xplornet.ca distributel.net teksavvy.com
  sorbonne-universite.fr univ-lyon1.fr univ-lille.fr univ-nantes.fr univ-rennes.fr u-bordeaux.fr u-paris.fr
  universite-paris-saclay.fr etu.univ-amu.fr unistra.fr univ-grenoble-alpes.fr ens.fr ens-lyon.fr polytechnique.edu
  sciencespo.fr insa-lyon.fr centralesupelec.fr hec.edu essec.edu edhec.edu cnam.fr u-picardie.fr umontpellier.fr
  cnrs.fr inserm.fr inria.fr inrae.fr cea.fr ird.fr pasteur.fr
  uliege.be ulb.be ulb.ac.be vub.be ugent.be kuleuven.be uclouvain.be unamur.be umons.be uantwerpen.be hel.be
  unil.ch unige.ch epfl.ch ethz.ch uzh.ch unine.ch unifr.ch hes-so.ch heig-vd.ch hesge.ch eduvaud.ch
  ulaval.ca umontreal.ca uqam.ca mcgill.ca uqtr.ca usherbrooke.ca etsmtl.ca polymtl.ca hec.ca concordia.ca cegep-ste-foy.qc.ca
  interieur.gouv.fr finances.gouv.fr dgfip.finances.gouv.fr justice.fr education.gouv.fr ac-paris.fr ac-lyon.fr
  ac-versailles.fr ac-reunion.fr paris.fr mairie-lyon.fr grandlyon.com nantesmetropole.fr ville-lille.fr cd77.fr
  seine-et-marne.fr iledefrance.fr francetravail.fr caf.fr assurance-maladie.fr urssaf.fr aphp.fr chu-lyon.fr
  chu-nantes.fr senat.fr assemblee-nationale.fr
  bruxelles.be spw.wallonie.be liege.be minfin.fed.be cfwb.be onem.be forem.be chuliege.be
  vd.ch ge.ch fr.ch ne.ch vs.ch admin.ch lausanne.ch geneve.ch hcuge.ch chuv.ch
  gouv.qc.ca montreal.ca ville.quebec.qc.ca revenuquebec.ca hydroquebec.com csdm.qc.ca
  sncf.fr ratp.fr edf.fr enedis.fr engie.com totalenergies.com renault.com stellantis.com airbus.com thalesgroup.com
  safrangroup.com dassault-aviation.com michelin.com danone.com loreal.com lvmh.com carrefour.com auchan.fr leclerc.fr
  decathlon.com leroymerlin.fr fnac.com maif.fr macif.fr matmut.fr axa.fr bnpparibas.com socgen.com creditmutuel.fr
  ca-paris.fr labanquepostale.fr veolia.com vinci.com eiffage.com capgemini.com sopra.com atos.net lefigaro.fr
  lemonde.fr liberation.fr mediapart.fr ouest-france.fr
  solvay.com ucb.com delhaize.be colruyt.be belfius.be kbc.be ing.be rtbf.be lesoir.be sncb.be stib.be
  nestle.com novartis.com roche.com rts.ch srf.ch migros.ch coop.ch sbb.ch cff.ch laposte.ch postfinance.ch raiffeisen.ch
  desjardins.com bombardier.com cgi.com radio-canada.ca lapresse.ca metro.ca jeancoutu.com
  croix-rouge.fr restosducoeur.org secourspopulaire.fr emmaus-france.org apf.asso.fr unicef.fr msf.org greenpeace.fr
  wwf.fr cimade.org laligue.org scouts.be oxfam.org caritas.ch croixrouge.be
  framasoft.org april.org riseup.net disroot.org zaclys.com
  orage.fr grange.fr oranges.fr cloud.fr surprise.ch highspeed.ch bluewine.ch blueline.ch globetrotters.net lacoste.net
  laporte.net love.fr like.fr olive.fr tree.fr fred.fr lise.fr box.fr net.fr photon.me proximity.be maximus.be
  tele.be starlet.be interne.lu intranet.lu simplon.co station-f.co sunshine.ch
`)

/** Slips by the domain that was meant. */
const SLIPS: Readonly<Record<string, string>> = {
  'gmail.com': `
    gmial.com gamil.com gmal.com gmai.com gmil.com gmaill.com gmmail.com ggmail.com gmaiil.com gnail.com gmaik.com gmaim.com
    hmail.com fmail.com gmqil.com gmsil.com gmaol.com gmaul.com gmali.com gmail.con gmail.cmo gmail.ocm gmail.comm
    gmail.coom gmail.co gmail.cm gmail.om gmail.c gmail.cim gmail.cpm gmail.clm gmail.vom gmail.xom gmail,com gmail;com
    gmailcom gmail gmail..com gmail.com. gmail.com, .gmail.com gmail.fr gmail.be gmail.ch gmail.ca gmail.org gmial.con
    gamil.con gmal.con gmai.co gemail.com g-mail.com gmail.ccom gmail.com; gmailc.om gma.il.com gamail.com gmaail.com
    gmzil.com gmeil.com gmaile.com`,
  'orange.fr': `
    orange.fe orange.f orange.ft orange.rf orange.frr orange.fr. orange.ff orange,fr orangefr ornage.fr oragne.fr orang.fr
    oange.fr orrange.fr orannge.fr orangge.fr orangr.fr orabge.fr orenge.fr prange.fr irange.fr oranhe.fr oarnge.fr
    ornge.fr orqnge.fr orange.fre orange.fr, oragen.fr orange.r orangee.fr`,
  'wanadoo.fr': `
    wanado.fr wanadoo.fe wanadooo.fr wandoo.fr wanadou.fr wannadoo.fr waandoo.fr wanaddo.fr wanadoo.f wanadoofr wanadoo,fr
    wanaddoo.fr wnadoo.fr wanodoo.fr wanadioo.fr xanadoo.fr wanadpo.fr wandaoo.fr`,
  'hotmail.fr': `
    hotmial.fr hotmil.fr hotmai.fr homail.fr hotmaill.fr hotmal.fr htomail.fr otmail.fr hotamil.fr hotmail.fe hotmail.f
    hotmail.frr hotmail,fr hotmailfr hormail.fr hotmaul.fr hotmqil.fr hotnail.fr hotmmail.fr hoymail.fr hotmsil.fr
    hptmail.fr jotmail.fr hotmaik.fr hitmail.fr hotail.fr`,
  'hotmail.com': `
    hotmial.com hotmail.con hotmail.cm hotmail.co hotmail.comm hotmil.com hotmal.com hotmaill.com homtail.com hotmali.com
    hotmailcom hotmail,com hotmail hotmaiil.com hotmail.cmo hotamil.com hormail.com hotmail.ocm hot-mail.com`,
  'outlook.fr': `
    outlok.fr outlouk.fr oulook.fr outook.fr outllook.fr outloook.fr oultook.fr outlook.fe outlook,fr outlookfr outloo.fr
    otlook.fr putlook.fr outlool.fr ouutlook.fr outlokk.fr`,
  'outlook.com': `
    outlok.com outlook.con outlook.co outlook.cm outllok.com outloock.com ourlook.com iutlook.com oitlook.com outlook.comm
    outlooc.com outlookcom`,
  'yahoo.fr': `
    yaho.fr yahooo.fr yhaoo.fr yahho.fr yahoo.fe yahou.fr yahoo.f yahoofr yahoo,fr uahoo.fr yhoo.fr yaoo.fr tahoo.fr
    yajoo.fr yahoo.rf yaahoo.fr`,
  'yahoo.com': 'yaho.com yahooo.com yahoo.con yahoo.co yahoo.cm yaoho.com yahoo.comm yahhoo.com',
  'free.fr': `
    free.fe free.f frre.fr fere.fr freee.fr ffree.fr freefr free,fr free.ff free.frr free.rf rfee.fr free.fr. free`,
  'sfr.fr': 'sffr.fr sfrr.fr ssfr.fr sfr.fe sfr.f sfr,fr sfr.rf sfrfr srf.fr sdr.fr',
  'laposte.net': `
    lapost.net laoste.net lapsote.net lapsote.net laposte.nte laposte.ner laposte.nett laposte.ne laposte,net laposte.n
    lapostte.net lapsoste.net lapposte.net lapotse.net la-poste.net laposre.net laposte.ent lqposte.net lzposte.net
    mlaposte.net`,
  'icloud.com': `
    iclou.com icoud.com iclod.com icluod.com icloud.con icloud.co icloud.fr iclould.com iclooud.com iclous.com icloud,com
    icloudcom iclaud.com i-cloud.com icloud.cm`,
  'live.fr': 'live.fe livee.fr lvie.fr live,fr livefr live.f liive.fr liv.fr',
  'live.com': 'live.con live.co livee.com lvie.com',
  'bbox.fr': 'bbox.fe bboxx.fr box.fr bobx.fr bbox,fr bboxfr bbbox.fr',
  'neuf.fr': 'neuf.fe neuff.fr nuef.fr neuf,fr neuffr',
  'gmx.fr': 'gmx.fe gmxx.fr gmx,fr',
  'protonmail.com': `
    protonmial.com protonmal.com protonmail.con protomail.com protonmai.com protnmail.com protonnmail.com proton-mail.com`,
  'proton.me': 'protn.me protom.me porton.me protonn.me prton.me',
  'skynet.be':
    'skynt.be skinet.be skynet.eb skynte.be sknyet.be skynett.be skynet,be skynetbe skyney.be syknet.be',
  'telenet.be': 'telnet.be telenent.be telenet.bee telenett.be tellenet.be telenet,be teelnet.be',
  'proximus.be':
    'proxmus.be proximius.be proximus.bbe poximus.be proximuss.be proxiums.be proximus,be',
  'hotmail.be': 'hotmial.be hotmil.be hotmail.eb',
  'voo.be': 'vooo.be voo.eb voo,be',
  'bluewin.ch':
    'bleuwin.ch bluwin.ch bluewin.hc bluewinn.ch bluewim.ch bluewin,ch blewin.ch buewin.ch bluewin.cch',
  'hispeed.ch': 'hispeeed.ch hisped.ch hispeed.hc hipseed.ch hyspeed.ch',
  'sunrise.ch': 'sunrsie.ch sunrize.ch sunrse.ch sunriise.ch',
  'pt.lu': 'pt.luu pt.ul pt,lu',
  'internet.lu': 'internt.lu interent.lu internet.ul intrnet.lu internett.lu',
  'videotron.ca':
    'vidotron.ca videotrn.ca videotron.caa viedotron.ca videotron,ca videtron.ca videootron.ca vidéotron.ca',
  'sympatico.ca': 'sympatco.ca simpatico.ca sympatico.cca sympathico.ca sympatcio.ca sympaticco.ca',
  'bell.net': 'belll.net bell.nte bell,net',
  'aol.com': 'aol.con aoll.com aol.cm',
}

/** Typed domain, and the domain that was meant. */
export const DOMAIN_SLIPS: readonly (readonly [typed: string, meant: string])[] = Object.entries(
  SLIPS,
).flatMap(([meant, typed]) => wordsOf(typed).map((slip) => [slip, meant] as const))
