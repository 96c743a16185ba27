import AccessModel
import Glibc
import LinuxTestSupport
import Testing

@testable import DeviceAccessCommands

/// The built command, which is replaced by the given program.
// Run one test at a time, because each one blocks a thread until its programs end.
@Suite(
  .serialized, .timeLimit(.minutes(5)),
  .enabled(if: Product.path != nil, "devaccess is not beside the test bundle"))
struct `devaccess request, as a process` {
  @Test func `runs the program with the open device, and nothing else`() throws {
    let result = try Product.run(
      #"""
      $devaccess request /dev/null -- sh -c '
        echo "$# $1 $DEVACCESS_FD"; readlink /proc/self/fd/$DEVACCESS_FD
        env | grep -c -e SWIFT_ -e DEVACCESS' name "a b"
      ls /proc/self/fd | wc -l
      $devaccess request /dev/null -- ls /proc/self/fd | wc -l
      """#)
    let lines = result.output.split(separator: "\n").map(String.init)
    #expect(result.errors == "")
    try #require(lines.count == 5)
    #expect(lines[0].hasPrefix("1 a b "))
    #expect(lines[1] == "/dev/null")
    #expect(lines[2] == "1")
    // The device is the only additional descriptor.
    let counts = lines[3...].compactMap { Int($0) }
    #expect(counts[1] == counts[0] + 1)
    #expect(result.status == 0)
  }

  @Test(arguments: [("exit 7", 7), ("kill -TERM $$", 143), ("kill -PIPE $$", 141)])
  func `passes the program's end on`(script: String, status: Int32) throws {
    let result = try Product.run(
      "$devaccess request /dev/null -- sh -c '\(script)'; exit $?")
    #expect(result.status == status)
  }

  @Test(arguments: [("/no/such/program", 127), ("no-such-program", 127), ("/etc/passwd", 126)])
  func `says like a shell that there is no program`(program: String, status: Int32) throws {
    let result = try Product.run("$devaccess request /dev/null -- \(program)")
    #expect(result.status == status)
    #expect(result.errors.hasPrefix("devaccess: cannot run \(program): "))
    #expect(result.output == "")
  }

  @Test func `gives the program the signals of a shell`() throws {
    // The remaining bits belong to signals that glibc uses for its threads.
    let result = try Product.run(
      "$devaccess request /dev/null -- grep -E '^Sig(Blk|Ign)' /proc/self/status | "
        + "grep -c '[08]0000000$'")
    #expect(result.output == "2\n")
  }

  @Test func `does not run the program without access`() throws {
    let result = try Product.run("$devaccess request /dev/no-such-device -- echo ran")
    #expect(result.output == "")
    #expect(result.status == 3)
    let file = try Product.run("$devaccess request /etc/passwd -- echo ran")
    #expect(file.output == "")
    #expect(file.errors.hasPrefix("devaccess: refused: /etc/passwd — /etc/passwd is not a device"))
    #expect(file.status == 1)
  }

  @Test(arguments: ["creation", "portal", "capability", "broker"])
  func `does not run the program by a method that does not lead there`(method: String) throws {
    let result = try Product.run("$devaccess request /dev/null --road=\(method) -- echo ran")
    #expect(result.output == "")
    #expect(result.errors.hasPrefix("devaccess: refused: /dev/null — "))
    #expect(result.status == 1)
  }

  private func script(_ desktop: PrivateDesktop, _ line: String) -> String {
    desktop.environment.map { "export '\($0)'" }.joined(separator: "\n") + "\n" + line
  }

  @Test(
    .requiresBus,
    arguments: [
      ("yes", 0), ("no", 1), ("dismissed", 1), ("crash", 1), ("wrong-types", 1), ("silent", 1),
    ])
  func `asks a portal of the session, and always ends`(
    conduct: String, status: Int32
  ) async throws {
    let desktop = try await PrivateDesktop(.own(conduct: conduct))
    let result = try Product.run(
      script(desktop, "$devaccess request camera --road=portal --timeout=1 -- cat /proc/self/comm"))
    #expect(result.errors.hasPrefix("devaccess: asking the camera portal"))
    #expect(result.output == (status == 0 ? "cat\n" : ""))
    #expect(result.status == status || result.status == 3)
    #expect((result.status == 0) == (status == 0))
  }

  @Test(.requiresPortal, .requiresMedia)
  func `uses the camera that a real portal gives`() async throws {
    let desktop = try await PrivateDesktop(.packaged(answer: "yes"), hasMedia: true)
    let result = try Product.run(
      script(
        desktop,
        """
        $devaccess request camera --road=portal -- \
          sh -c 'readlink /proc/self/fd/$DEVACCESS_FD'
        """))
    #expect(result.output.hasPrefix("socket:["))
    #expect(result.status == 0)
    #expect(await desktop.line()?.hasPrefix("||") == true)
  }

  /// Outside a sandbox, the portal's approval is sufficient for the camera; for an application in a
  /// sandbox, WirePlumber also checks the permission store.
  @Test(
    .requiresPortal, .requiresMediaCamera, arguments: Self.hasSandbox ? [false, true] : [false])
  func `gives the program a camera that delivers pictures`(isInSandbox: Bool) async throws {
    let desktop = try await PrivateDesktop(.packaged(answer: "yes"), hasCamera: true)
    let sandbox = isInSandbox ? Self.sandbox(of: "org.example.Booth") : ""
    let result = try Product.run(
      script(
        desktop,
        """
        \(sandbox) "$devaccess" request camera --road=portal -- timeout 60 sh -c '
          exec gst-launch-1.0 -q pipewiresrc fd=$DEVACCESS_FD num-buffers=2 ! \
            video/x-raw,format=RGB ! filesink location="$HOME/pictures"' >&2
        od -An -v -tx1 -w3 "$HOME/pictures" | sort | uniq -c
        """))
    let (width, height) = PrivateCamera.size
    #expect(
      result.output.split(separator: " ") == ["\(2 * width * height)", "ff", "00", "00\n"],
      "\(result.errors)")
  }

  @Test(.requiresPortal) func `takes its dialog back when it is interrupted`() async throws {
    let desktop = try await PrivateDesktop(.packaged(answer: "never"))
    let path = try #require(Product.path)
    let asking = try StartedProgram(
      [path, "request", "camera", "--road=portal"], environment: desktop.environment)
    #expect(await desktop.line()?.hasPrefix("||") == true)
    asking.send(SIGINT)
    #expect(asking.end() == 128 + SIGINT)
    #expect(await desktop.line() == "closed")
  }

  @Test(.requiresPortal) func `runs the program with the files that a person chooses`() async throws
  {
    let folder = try TemporaryDirectory()
    let path = try folder.file("a b.png", "first")
    try folder.link("link.png", to: path)
    let bytes = ByteText(bytes: Array(folder.path.utf8) + [0x2F, 0xFF]).text
    let made = unsafe open(ByteText(bytes).cString, O_CREAT | O_WRONLY | O_CLOEXEC, 0o644)
    try #require(made >= 0)
    close(made)
    let desktop = try await PrivateDesktop(
      .packaged(
        answer: "yes",
        uris: ["a%20b.png", "%FF", "link.png"].map { "file://\(folder.path)/\($0)" }))
    let result = try Product.run(
      script(
        desktop,
        #"""
        $devaccess request album --select --timeout=200 -- sh -c '
          echo "$# $1"; shift; cat "$1"; echo; printf %s "$2" | od -An -tx1 | tail -c 4
          env | grep -c DEVACCESS_FD' name option
        """#))
    #expect(
      result.output.split(separator: "\n").map { $0.trimmingPrefix(" ") }
        == ["3 option", "first", "ff", "0"])
    #expect(
      result.errors == """
        devaccess: asking the file chooser portal, which shows a dialog
        devaccess: cannot be read: \(folder.path)/link.png — it is a symbolic link

        """)
    #expect(await desktop.line()?.hasPrefix("||Choose pictures|") == true)
  }

  @Test(
    .requiresPortal,
    arguments: [("no", 1), ("dismissed", 1), ("crash", 1), ("nonsense", 1), ("never", 2)])
  func `does not run the program where a person chooses nothing`(
    answer: String, status: Int32
  ) async throws {
    let desktop = try await PrivateDesktop(.packaged(answer: answer, uris: ["file:///etc/passwd"]))
    let result = try Product.run(
      script(desktop, "$devaccess request album --select --timeout=5 -- echo ran"))
    #expect(result.output == "")
    #expect(result.status == status, "\(result.errors)")
  }

  /// The user may choose a file that this program may not read.
  @Test(.requiresPortal, .requiresRoot) func `asks the kernel as the user that it runs as`()
    async throws
  {
    let folder = try TemporaryDirectory()
    let hidden = try folder.file("hidden.png", "x", mode: 0o600)
    let shown = try folder.file("shown.png", "x", mode: 0o644)
    let desktop = try await PrivateDesktop(
      .packaged(answer: "yes", uris: ["file://\(hidden)", "file://\(shown)"]))
    // The bus belongs to root. Without capabilities, root has no special access to the files of
    // others.
    #expect(unsafe chown(hidden, 65_534, 65_534) == 0)
    #expect(unsafe chown(shown, 65_534, 65_534) == 0)
    let result = try Product.run(
      script(
        desktop,
        "setpriv --bounding-set=-all --inh-caps=-all $devaccess request album --select"))
    #expect(
      result.output == """
        allowed: album — 1 chosen file can be read
          cannot be read: \(hidden) — permission denied
          read: \(shown)

        """, "\(result.errors)")
  }

  @Test(.requiresPortal) func `takes the dialog for files back when it is interrupted`()
    async throws
  {
    let desktop = try await PrivateDesktop(.packaged(answer: "never"))
    let path = try #require(Product.path)
    let asking = try StartedProgram(
      [path, "request", "album", "--select"], environment: desktop.environment)
    #expect(await desktop.line()?.hasPrefix("||Choose pictures|") == true)
    asking.send(SIGINT)
    #expect(asking.end() == 128 + SIGINT)
    #expect(await desktop.line() == "closed")
  }

  /// Flatpak identifies a program to the portal by a file in its root directory, as this test does.
  @Test(
    .requiresPortal, .requiresMedia,
    .enabled(if: Self.hasSandbox, "bwrap(1) is not installed, or may not make a sandbox"))
  func `is known to the portal by its sandbox`() async throws {
    let desktop = try await PrivateDesktop(.packaged(answer: "yes"), hasMedia: true)
    let result = try Product.run(
      script(
        desktop,
        """
        \(Self.sandbox(of: "org.example.Booth")) "$devaccess" request camera --road=portal --json
        """))
    #expect(result.output.contains(#""road":"portal","term":"until_revoked""#))
    #expect(result.status == 0, "\(result.errors)")
    #expect(await desktop.line()?.hasPrefix("org.example.Booth||") == true)
  }

  /// Returns the start of a command in the sandbox of an application.
  private static func sandbox(of application: String) -> String {
    #"""
    printf '[Application]\nname=\#(application)\nruntime=a/b/c\n[Instance]\n' >"$HOME/info"
    \#(sandbox) --bind "$HOME" "$HOME" --ro-bind "$HOME/info" /.flatpak-info
    """#
  }

  /// All files of the machine, below the sandbox's own root directory.
  private static let sandbox = #"""
    words=()
    for each in /*; do
      case $each in /proc | /dev) continue ;; esac
      if [[ -L $each ]]; then words+=(--symlink "$(readlink "$each")" "$each")
      elif [[ -d $each ]]; then words+=(--ro-bind "$each" "$each"); fi
    done
    bwrap "${words[@]}" --dev /dev --proc /proc
    """#

  private static let hasSandbox = (try? Product.run("\(sandbox) true"))?.status == 0
}
