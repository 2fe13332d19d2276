import type { Command } from "commander";

export type Shell = "bash" | "zsh" | "fish";

interface CompletionEntry {
  /** The words before, joined by blanks: `tasks`, `tasks check`. */
  readonly path: string;
  readonly words: readonly { readonly word: string; readonly description: string }[];
}

/** A completion script for the whole command tree, to be sourced by the shell. */
export function completionScript(program: Command, shell: Shell): string {
  const entries = collectEntries(program, "");
  if (shell === "fish") return fishScript(entries);
  return shell === "zsh"
    ? `#compdef ale\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(entries)}`
    : bashScript(entries);
}

function collectEntries(command: Command, path: string): CompletionEntry[] {
  const subcommands = command.commands.map((child) => ({
    word: child.name(),
    description: child.summary() || child.description(),
  }));
  const options = command.options
    .filter((option) => option.long !== undefined && !option.hidden)
    .map((option) => ({ word: option.long ?? "", description: option.description }));
  const own: CompletionEntry = {
    path,
    words: [...subcommands, ...options, { word: "--help", description: "show help" }],
  };
  return [
    own,
    ...command.commands.flatMap((child) => collectEntries(child, `${path} ${child.name()}`.trim())),
  ];
}

function bashScript(entries: readonly CompletionEntry[]): string {
  const cases = entries
    .map(
      (entry) =>
        `    ${quote(entry.path)}) words=${quote(entry.words.map((item) => item.word).join(" "))} ;;`,
    )
    .join("\n");
  return `_ale_complete() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path="" words="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) if [ \${#path} -eq 0 ]; then path="$word"; else path="$path $word"; fi ;; esac
  done
  case "$path" in
${cases}
  esac
  if [ -z "$words" ]; then COMPREPLY=( $(compgen -f -- "$current") ); else COMPREPLY=( $(compgen -W "$words" -- "$current") ); fi
}
complete -F _ale_complete ale
`;
}

function fishScript(entries: readonly CompletionEntry[]): string {
  const lines = entries.flatMap((entry) =>
    entry.words.map((item) => {
      const condition = quote(`__ale_at ${quote(entry.path)}`);
      const flag = item.word.startsWith("--") ? `-l ${item.word.slice(2)}` : `-a ${item.word}`;
      return `complete -c ale -f -n ${condition} ${flag} -d ${quote(item.description)}`;
    }),
  );
  return `function __ale_at
  set -l words (string match -v -- '-*' (commandline -opc)[2..-1])
  test "$words" = "$argv[1]"
end
${lines.join("\n")}
`;
}

/** Single-quoted for the three shells. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
