import type { ReactNode } from "react";
import type { SubfieldCoverage, TaxonomyView } from "../../server/api/taxonomy-view.ts";
import { Load } from "../parts/load.tsx";
import { useText } from "../settings.tsx";

/** The taxonomy, and what is here of it. */
export function CoveragePage(): ReactNode {
  const t = useText();
  return (
    <>
      <h1>{t("taxonomy")}</h1>
      <Load<TaxonomyView> path="taxonomy">{(view) => <Domains view={view} />}</Load>
    </>
  );
}

function Domains({ view }: { readonly view: TaxonomyView }): ReactNode {
  const t = useText();
  const all = view.domains.flatMap((domain) => domain.subfields);
  const covered = all.filter((subfield) => subfield.workflows > 0).length;
  return (
    <>
      <p>
        <b>{t("covered", { n: covered, all: all.length })}</b>
      </p>
      <p className="soft note">{t("coverageNote")}</p>
      <div className="coverage">
        {view.domains.map((domain) => (
          <section key={domain.id}>
            <h2>
              <span>{domain.name}</span>
              <span className="soft">{domain.published}</span>
            </h2>
            <ul>
              {domain.subfields.map((subfield) => (
                <SubfieldLine key={subfield.id} subfield={subfield} />
              ))}
            </ul>
          </section>
        ))}
      </div>
    </>
  );
}

function SubfieldLine({ subfield }: { readonly subfield: SubfieldCoverage }): ReactNode {
  const t = useText();
  const { workflows, instances, examined } = subfield;
  return (
    <li className={workflows === 0 ? "bare" : ""}>
      <span>
        {subfield.id} {subfield.name} <span className="soft">{subfield.published}</span>
      </span>
      {workflows === 0 ? null : (
        <span className="here">
          {t("hereInstances")} {instances} · {t("examined")} {examined}
        </span>
      )}
    </li>
  );
}
