/** Counterparties: what files call them, and what they are called. */
export const companies: readonly (readonly [short: string, name: string, seat: string])[] = [
  ["Brightwell", "Brightwell Components GmbH", "Kassel"],
  ["Corvane", "Corvane Logistics B.V.", "Venlo"],
  ["Delmore", "Delmore & Pike LLP", "Bristol"],
  ["Esterhall", "Esterhall Software Limited", "Cork"],
  ["Fennick", "Fennick Calibration Services Ltd", "Sheffield"],
  ["Garrand", "Garrand Instrumentation S.A.", "Lyon"],
  ["Holtmeyer", "Holtmeyer Messtechnik AG", "Winterthur"],
  ["Ivaro", "Ivaro Sistemas S.L.", "Bilbao"],
  ["Jarnfors", "Jarnfors Automation AB", "Gothenburg"],
  ["Kestrin", "Kestrin Facilities Limited", "Leeds"],
  ["Lundqvist", "Lundqvist Process Control AB", "Malmo"],
  ["Marrow", "Marrow Street Consulting LLP", "London"],
  ["Noventa", "Noventa Distribuzione S.r.l.", "Verona"],
  ["Ostrava", "Ostrava Mereni s.r.o.", "Ostrava"],
  ["Pellham", "Pellham Water Utilities plc", "Exeter"],
  ["Quillon", "Quillon Data Centres Limited", "Slough"],
  ["Rostock", "Rostock Schiffsausruster GmbH", "Rostock"],
  ["Sablier", "Sablier Energies S.A.S.", "Nantes"],
  ["Tarnow", "Tarnow Hydraulika Sp. z o.o.", "Tarnow"],
  ["Umbria", "Umbria Fluidi S.p.A.", "Perugia"],
  ["Vexley", "Vexley Cleanroom Services Limited", "Oxford"],
  ["Westerby", "Westerby Brewing Group A/S", "Aarhus"],
  ["Yarrow", "Yarrow Chemicals Limited", "Runcorn"],
  ["Zelmark", "Zelmark Foods N.V.", "Ghent"],
  ["Aldane", "Aldane Security Limited", "Reading"],
  ["Birkvale", "Birkvale Print Limited", "Derby"],
  ["Castell", "Castell Fleet Leasing GmbH", "Aachen"],
  ["Dorrington", "Dorrington Catering Limited", "York"],
];

export const products = ["ultrasonic flow meters", "pressure transmitters", "level sensors", "dosing pumps"];

export const countries = [
  "Austria",
  "Belgium",
  "Denmark",
  "France",
  "Germany",
  "Italy",
  "Poland",
  "Portugal",
  "Spain",
  "Sweden",
];

export const laws = ["England and Wales", "Ireland", "Germany", "the Netherlands", "France", "Sweden"];

export const topics = [
  "service levels and open incidents",
  "the hours worked and the costs incurred",
  "stock, sales and forecasts",
  "quality, complaints and corrective measures",
];

export const insuranceTypes = ["professional indemnity", "public liability", "product liability"];

export const signatories = [
  "J. Whitcombe",
  "R. Adeyemi",
  "M. Sorensen",
  "A. Keller",
  "P. Marchetti",
  "S. Okonjo",
];

/** Sections that impose nothing the register asks for; `{noun}` is the contract's word for itself. */
export const fillers: readonly (readonly [heading: string, texts: readonly string[]])[] = [
  [
    "Confidentiality",
    [
      "Each party shall keep the other's confidential information secret and use it for the purposes of this {noun} only.",
      "The duty of confidentiality survives for five (5) years after the end of this {noun}.",
    ],
  ],
  [
    "Force majeure",
    [
      "Neither party is liable for a failure that is caused by events outside its reasonable control.",
      "If such an event lasts for more than ninety (90) days, either party may end this {noun} on fourteen (14) days' written notice.",
    ],
  ],
  [
    "Data protection",
    [
      "Each party shall comply with the data protection law that applies to it, and shall report a breach of personal data to the other within 48 hours after becoming aware of it.",
    ],
  ],
  [
    "Notices",
    [
      "Notices shall be in writing and sent to the address at the head of this {noun}. A notice sent by courier counts as received two (2) Business Days after dispatch.",
    ],
  ],
  [
    "Termination for cause",
    [
      "Either party may end this {noun} with immediate effect if the other commits a material breach that it does not remedy within thirty (30) days after being asked to.",
    ],
  ],
  [
    "General",
    [
      "This {noun} is the whole agreement of the parties on its subject.",
      "Changes to this {noun} are valid only if made in writing and signed by both parties.",
    ],
  ],
];
