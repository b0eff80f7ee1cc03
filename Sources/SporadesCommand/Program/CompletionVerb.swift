// SPDX-License-Identifier: MIT
import SporadesModel

extension Verb {
  private static let shells = ["bash", "zsh", "fish"]

  static let completion = Verb(
    name: "completion", group: .program, summary: "Print the completion for a shell",
    operands: [Operand(name: "SHELL", text: "bash, zsh or fish.")],
    details: [
      "bash: source <(sporades completion bash). zsh: the same, after compinit. fish: sporades completion fish | source."
    ]
  ) { invocation in
    let shell = invocation.word("SHELL")
    let script = CompletionScript(verbs: Program.allVerbs)
    switch shell {
    case "bash": try invocation.output.print(script.bash)
    case "zsh": try invocation.output.print(script.zsh)
    case "fish": try invocation.output.print(script.fish)
    default:
      throw invocation.mistake(
        "There is no completion for \(shell.shownAsWord).\(NearNames(shell, among: shells).hint)")
    }
    return .done
  }

  static let man = Verb(
    name: "man", group: .program, summary: "Print the manual page",
    details: ["Read it with: sporades man | man -l -, or install it as sporades.1."]
  ) { invocation in
    try invocation.output.print(ManualPage(verbs: Program.allVerbs).text)
    return .done
  }
}

/// The words that a shell offers: verbs, and the options of a verb. Operands are files.
private struct CompletionScript {
  let verbs: [Verb]

  private var names: String { verbs.map(\.name).joined(separator: " ") }

  private func options(of verb: Verb) -> String {
    verb.allOptions.map { "--\($0.name)" }.joined(separator: " ")
  }

  private var cases: String {
    verbs.map { "    \($0.name)) words='\(options(of: $0))' ;;" }.joined(separator: "\n")
  }

  var bash: String {
    """
    _sporades() {
      local word=${COMP_WORDS[COMP_CWORD]} words=
      COMPREPLY=()
      if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W '\(names)' -- "$word"))
        return
      fi
      case ${COMP_WORDS[1]} in
    \(cases)
      esac
      case $word in
        -*) COMPREPLY=($(compgen -W "$words" -- "$word")) ;;
        *) compopt -o filenames; COMPREPLY=($(compgen -f -- "$word")) ;;
      esac
    }
    complete -F _sporades sporades

    """
  }

  var zsh: String {
    let described = verbs.map { "    '\($0.name):\(Self.quoted($0.summary))'" }.joined(
      separator: "\n")
    return """
      _sporades() {
        local -a line_words verbs
        line_words=("${words[@]}")
        local words=
        verbs=(
      \(described)
        )
        if (( CURRENT == 2 )); then
          _describe 'verb' verbs
          return
        fi
        case $line_words[2] in
      \(cases)
        esac
        if [[ $PREFIX == -* ]]; then
          compadd -- ${=words}
        else
          _files
        fi
      }
      compdef _sporades sporades

      """
  }

  var fish: String {
    var lines = ["complete -c sporades -n __fish_use_subcommand -f"]
    for verb in verbs {
      lines.append(
        "complete -c sporades -n __fish_use_subcommand -f -a \(verb.name) -d '\(Self.quoted(verb.summary))'"
      )
      for option in verb.allOptions {
        let value = option.value == nil ? "" : " -r"
        lines.append(
          "complete -c sporades -n '__fish_seen_subcommand_from \(verb.name)' -l \(option.name)\(value) -d '\(Self.quoted(option.text))'"
        )
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The text within single quotes.
  private static func quoted(_ text: String) -> String {
    text.replacing("'", with: "’").replacing(":", with: "")
  }
}
