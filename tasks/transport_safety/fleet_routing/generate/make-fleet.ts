const kinds = [
  {
    name: "V",
    model: "van 3.5 t",
    gross: "3.5",
    payload: "1150",
    volume: "11.5",
    rate: ["92", "0.36", "24"],
  },
  {
    name: "M",
    model: "truck 7.5 t",
    gross: "7.5",
    payload: "2900",
    volume: "31",
    rate: ["138", "0.58", "26"],
  },
  { name: "L", model: "truck 12 t", gross: "12", payload: "5600", volume: "44", rate: ["186", "0.79", "28"] },
] as const;

/** Header and rows of `vehicles.csv`: more vehicles than a good plan needs, some refrigerated, some for hazardous goods. */
export function makeFleet(orders: number): readonly (readonly string[])[] {
  const rows: string[][] = [
    ["vehicle_id", "model", "gross_t", "payload_kg", "volume_m3", "chilled", "hazardous"].concat([
      "eur_per_day",
      "eur_per_km",
      "eur_per_hour",
    ]),
  ];
  const shares = { V: 0.1, M: 0.075, L: 0.045 };
  for (const { name, model, gross, payload, volume, rate } of kinds) {
    const count = Math.max(3, Math.round(shares[name] * orders));
    for (let index = 0; index < count; index++) {
      const chilled = index % 3 === 0;
      const hazardous = index % 3 === 1;
      rows.push([
        `${name}${String(index + 1).padStart(2, "0")}`,
        model,
        gross,
        payload,
        volume,
        chilled ? "yes" : "no",
        hazardous ? "yes" : "no",
        String(Number(rate[0]) + (chilled ? 26 : hazardous ? 14 : 0)),
        rate[1],
        rate[2],
      ]);
    }
  }
  return rows;
}
