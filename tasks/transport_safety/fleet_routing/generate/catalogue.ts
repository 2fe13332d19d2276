/** Header and rows of `articles.csv`: what relief stores hand out. */
export const articleRows: readonly (readonly string[])[] = [
  ["article", "description", "goods_class", "unit_kg", "unit_litres"],
  ["WAT-06", "Drinking water, 6 x 1.5 l", "dry", "9.4", "14"],
  ["RAT-12", "Field rations, carton of 12", "dry", "8.6", "28"],
  ["BED-01", "Folding bed", "dry", "7.2", "61"],
  ["BLK-10", "Blankets, bale of 10", "dry", "14.5", "96"],
  ["HYG-24", "Hygiene kits, carton of 24", "dry", "10.8", "42"],
  ["VAC-20", "Tetanus vaccine, insulated box", "chilled", "6.5", "34"],
  ["INS-40", "Insulin, insulated box", "chilled", "5.2", "30"],
  ["MLK-12", "Infant milk, chilled crate", "chilled", "13.1", "27"],
  ["DSL-20", "Diesel, 20 l canister", "hazardous", "18.7", "25"],
  ["CHL-10", "Sodium hypochlorite, 10 kg drum", "hazardous", "11.3", "14"],
  ["LPG-11", "Propane, 11 kg bottle", "hazardous", "22.4", "32"],
];

/** Header and rows of `rules.csv`. */
export const ruleRows: readonly (readonly string[])[] = [
  ["rule", "value", "unit"],
  ["depot", "DEPOT", "node"],
  ["depot_open", "06:00", "time"],
  ["depot_close", "19:00", "time"],
  ["max_duty_min", "570", "minutes"],
  ["max_stretch_min", "285", "minutes"],
  ["min_break_min", "45", "minutes"],
];
