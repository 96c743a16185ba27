import LinuxTestSupport
import Testing

@testable import DeviceAccessCommands

// Run one test at a time, because each one blocks a thread until its process ends.
@Suite(.serialized, .enabled(if: Product.path != nil, "devaccess is not beside the test bundle"))
struct `The process` {
  @Test(arguments: [
    ("$devaccess check /dev/null", "allowed: read and write access to /dev/null", "", 0),
    ("$devaccess check --quiet /dev/null", "", "", 0),
    ("$devaccess explain --example", "camera: refused", "", 1),
    ("$devaccess check /no/such/thing", "", "devaccess: /no/such/thing", 3),
    ("$devaccess check webcam", "", "devaccess: 'webcam' is neither a kind", 64),
    ("$devaccess frobnicate", "", "devaccess: unknown command 'frobnicate'", 64),
    ("$devaccess --version", "devaccess ", "", 0),
    ("$devaccess snapshot /dev/null | $devaccess check --from -", "allowed: read and write", "", 0),
    ("echo '{' | $devaccess decide", "", "devaccess: line 1: ", 64),
    ("$devaccess explain --from <(printf '{\"format\"')", "", "devaccess: /dev/fd/", 64),
    ("cd /dev && $devaccess check ./null", "allowed: read and write access to /dev/./null", "", 0),
    ("cd /dev && $devaccess check null", "allowed: read and write access to /dev/null", "", 0),
    ("cd / && $devaccess check .", "allowed: read and search access to /.", "", 0),
    ("$devaccess check /bin/sh --execute", "allowed: execute access to /bin/sh", "", 0),
    ("$devaccess check /dev/null --append", "allowed: append access to /dev/null", "", 0),
  ])
  func `answers on the right stream with the right status`(
    script: String, output: String, errors: String, status: Int32
  ) throws {
    let result = try Product.run(script)
    #expect(result.status == status)
    #expect(result.output.hasPrefix(output) && result.output.isEmpty == output.isEmpty)
    #expect(
      result.errors.hasPrefix(errors) && result.errors.isEmpty == errors.isEmpty,
      "it wrote \(result.errors)")
  }

  @Test(arguments: [
    // Standard output is closed, as some services do when they start child processes.
    ("$devaccess explain --example >&-", 1), ("$devaccess check /dev/null >&-", 0),
    ("$devaccess check /dev/null <&- >&- 2>&-", 0), ("$devaccess --help >&-", 0),
    ("$devaccess decide <&-", 0),
    // The reader exits immediately, or in the middle of the output.
    ("$devaccess explain --example | true; exit ${PIPESTATUS[0]}", 1),
    ("$devaccess explain --example | head -c 1 >/dev/null; exit ${PIPESTATUS[0]}", 1),
  ])
  func `a closed stream neither ends it nor makes it complain`(
    script: String, status: Int32
  ) throws {
    let result = try Product.run(script)
    #expect(result.status == status)
    #expect(result.errors == "")
    #expect(result.output == "")
  }

  @Test func `a closed standard output is not written into another file`() throws {
    let file = try TemporaryFile()
    let result = try Product.run(
      "$devaccess snapshot /dev/null -o \(file.path) >&- && $devaccess check --from \(file.path)")
    #expect(result.status == 0)
    #expect(try file.contents().hasPrefix("{\n"))
  }

  @Test func `a full disk is reported`() throws {
    let result = try Product.run("$devaccess explain --example >/dev/full")
    #expect(result.status == 70)
    #expect(
      result.errors == "devaccess: cannot write to standard output: no space left on device\n")
  }

  @Test func `a file that gets too large is reported, and not to the program that is started`()
    throws
  {
    let folder = try TemporaryDirectory()
    let result = try Product.run(
      """
      (
        ulimit -f 0
        $devaccess snapshot /dev/null -o \(folder.path)/x; echo $?
        $devaccess explain --example >\(folder.path)/y; echo $?
        $devaccess request /dev/null -- grep ^SigIgn /proc/self/status
      ) 2>&1 | cat
      """)
    let lines = result.output.split(separator: "\n").map(String.init)
    #expect(
      lines.dropLast() == [
        "devaccess: cannot write \(folder.path)/x: file too large", "70",
        "devaccess: cannot write to standard output: file too large", "70",
      ])
    // SIGXFSZ is signal 25.
    let ignored = lines.last.flatMap { UInt64($0.suffix(16), radix: 16) }
    #expect(ignored.map { $0 & 1 << 24 } == 0, "\(lines)")
  }

  @Test func `many cases stream through in bounded memory`() throws {
    let file = try TemporaryFile(`Bad input`.good + "\n")
    let result = try Product.run(
      """
      ulimit -v 4000000
      yes "$(cat \(file.path))" | head -n 8000 | $devaccess decide | sort | uniq -c
      """)
    #expect(result.errors == "")
    #expect(result.output.split(separator: " ").first == "8000")
    #expect(result.output.filter { $0 == "\n" }.count == 1)
  }

  @Test func `a terminal gets colours and a pipe does not`() throws {
    let result = try Product.run(
      "TERM=xterm script -qec \"$devaccess explain --example\" /dev/null; true")
    try #require(!result.output.isEmpty, "script(1) is needed to make a terminal")
    #expect(result.output.contains("\u{1B}[31mrefused\u{1B}[0m"))
    let plain = try Product.run("TERM=xterm $devaccess explain --example; true")
    #expect(!plain.output.contains("\u{1B}"))
  }
}
