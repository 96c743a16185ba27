import Testing

@testable import DeviceAccessCommands

// Run one test at a time, because each one blocks a thread until its shell ends.
@Suite(.serialized, .enabled(if: Product.path != nil, "devaccess is not beside the test bundle"))
struct `Completions` {
  static func has(_ shell: String) -> Bool {
    (try? Product.run("command -v \(shell)"))?.status == 0
  }

  /// Creates a directory with a directory, a file and a name that contains a space.
  private static let scene = """
    there=$(mktemp -d); trap 'rm -rf "$there"' EXIT
    mkdir "$there/Pictures" "$there/some where"; touch "$there/snap.json"
    touch "$there/90-lamp.rules" "$there/90-lamp.text"
    cd "$there"; export HOME=$there
    """

  /// The output of `devaccess grants` for one grant.
  private static let grants =
    "ID                USER   ACCESS\\n0123456789abcdef  alice  rw\\n"

  @Test func `bash completes commands, kinds, options, values and files`() throws {
    let result = try Product.run(
      #"""
      \#(Self.scene)
      source <($devaccess completion bash)
      complete_line() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _devaccess
        (IFS='|'; echo "${COMPREPLY[*]}"); }
      complete_line devaccess ex
      complete_line devaccess explain cam
      complete_line devaccess check --qu
      complete_line devaccess list al
      complete_line devaccess explain --color = al
      complete_line devaccess explain --container d
      complete_line devaccess help ch
      complete_line devaccess completion z
      complete_line devaccess check Pic
      complete_line devaccess check some
      complete_line devaccess explain --from sn
      complete_line devaccess check camera --user roo
      complete_line devaccess check camera --groups = +root
      complete_line devaccess check camera --with-cap chown,mkn
      complete_line devaccess check camera --pid $$ | grep -cx $$
      complete_line devaccess --color = always ex
      complete_line devaccess --color always explain cam
      complete_line devaccess request camera -- set-no-such; complete_line devaccess request camera -- compop
      complete_line devaccess request camera -- cat sn
      complete_line devaccess check -- --qu
      complete_line devaccess rules --rule 90
      devaccess() { printf '\#(Self.grants)'; }
      complete_line devaccess revoke 0123
      complete_line devaccess grant 0123
      complete_line devaccess revoke --user roo
      devaccess() { echo 'no grants'; }
      complete_line devaccess revoke n
      """#)
    #expect(
      result.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast() == [
        "explain", "camera", "--quiet", "", "always", "docker", "check", "zsh", "Pictures",
        "some where", "snap.json", "root", "+root", "chown,mknod", "1",
        "explain", "camera", "", "compopt", "snap.json", "", "90-lamp.rules", "0123456789abcdef",
        "",
        "root", "",
      ])
    #expect(result.errors == "")
  }

  @Test(.enabled(if: Self.has("script"), "script(1) is needed to make a terminal"))
  func `bash adds a slash and no space after a directory`() throws {
    let result = try Product.run(
      #"""
      \#(Self.scene)
      $devaccess completion bash >rc
      echo 'PS1=; devaccess() { printf "got:%s:\n" "$*"; }' >>rc
      printf 'devaccess check Pic\tx\ndevaccess explai\tcamera\nexit\n' |
        TERM=dumb script -qec "bash --rcfile rc -i" /dev/null
      """#)
    #expect(result.output.contains("got:check Pictures/x:"), "\(result.output)")
    #expect(result.output.contains("got:explain camera:"), "\(result.output)")
  }

  @Test(.enabled(if: Self.has("fish"), "fish is not installed"))
  func `fish completes commands, kinds, options, values and files`() throws {
    let result = try Product.run(
      #"""
      \#(Self.scene)
      $devaccess completion fish >completions.fish
      fish --no-config -c 'source completions.fish
        function devaccess; printf "\#(Self.grants)"; end
        for line in "devaccess expl" "devaccess explain cam" "devaccess check --qu" \
          "devaccess list zz" "devaccess explain --color=al" "devaccess explain --container d" \
          "devaccess help ch" "devaccess check Pic" "devaccess explain --from sn" \
          "devaccess check camera --user roo" "devaccess check camera --with-cap chown,mkn" \
          "devaccess check camera --groups=disk,+roo" "devaccess request camera -- pgre" \
          "devaccess request camera -- cat sn" "devaccess request cam" "devaccess revoke 0123" \
          "devaccess grant 0123" "devaccess revoke --user roo" "devaccess rules --rule 90"
          echo (complete -C $line | string replace -r "\t.*" "" | string join "|")
        end'
      """#)
    #expect(
      result.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast() == [
        "explain", "camera", "--quiet", "", "--color=always", "docker", "check", "Pictures/",
        "snap.json", "root", "chown,mknod", "--groups=disk,+root", "pgrep", "snap.json", "camera",
        "0123456789abcdef", "", "root", "90-lamp.rules|90-lamp.text",
      ])
    #expect(result.errors == "")
  }

  @Test(.enabled(if: Self.has("zsh"), "zsh is not installed"), .timeLimit(.minutes(1)))
  func `zsh completes commands, kinds, options, values and files`() throws {
    // An inner zsh completes and runs each line; the command that it runs prints its arguments.
    let result = try Product.run(
      #"""
      \#(Self.scene)
      $devaccess completion zsh >completions.zsh
      cat >outer.zsh <<'END'
      zmodload zsh/zpty
      zpty inner zsh -f -i
      zpty -w inner 'PS1=; autoload -U compinit; compinit -u -D; source ./completions.zsh'
      zpty -w inner 'devaccess() { [[ $* == grants ]] && printf "\#(Self.grants)" || print -r -- "got:$*:" }
        print rea""dy'
      zpty -r -m inner line '*ready*'
      for words in expl 'explain cam' 'check --qu' 'explain --color=al' 'explain --container d' \
        'help chec' 'check Pic' 'explain --from sn' 'check camera --user roo' \
        'check camera --with-cap chown,mkn' 'check camera --groups=disk,+roo' \
        'request camera -- compini' 'request camera -- cat sn' 'revoke 0123' 'revoke --user roo' \
        'rules --rule 90'; do
        zpty -w -n inner "devaccess $words"$'\t\n'
        zpty -r -m inner line '*got:*:*'
        line=${line##*got:}
        print -r -- ${line%%:*}
      done
      zpty -d inner
      END
      zsh -f outer.zsh
      """#)
    let lines = result.output.split(separator: "\n").map { line in
      String(line.last == " " ? line.dropLast() : line)
    }
    #expect(
      lines == [
        "explain", "explain camera", "check --quiet", "explain --color=always",
        "explain --container docker", "help check", "check Pictures", "explain --from snap.json",
        "check camera --user root", "check camera --with-cap chown,mknod",
        "check camera --groups=disk,+root", "request camera -- compinit",
        "request camera -- cat snap.json", "revoke 0123456789abcdef", "revoke --user root",
        "rules --rule 90-lamp.rules",
      ], "\(result.output) \(result.errors)")
  }
}
