/** Words after which a full stop does not end an English sentence, in lower case, without the stop. */
export const ABBREVIATIONS: ReadonlySet<string> = new Set(
  `mr mrs ms dr prof rev hon st gen col lt sgt capt cmdr adm gov sen rep pres vs etc cf ca approx no nos vol vols fig
  figs eq eqs sec ch chap ed eds trans pp p al jr sr inc ltd co corp dept univ assn bros ave blvd rd mt ft jan feb mar
  apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun e.g i.e a.k.a viz resp est incl`.split(
    /\s+/,
  ),
)
