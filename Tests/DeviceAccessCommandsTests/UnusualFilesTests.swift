import Testing

// Run one test at a time, because each one blocks a thread until its process ends.
@Suite(
  .serialized, .enabled(if: Product.path != nil, "devaccess is not beside the test bundle"),
  .timeLimit(.minutes(5)))
struct `Unusual files and names` {
  @Test(arguments: [
    ("check --from /dev/zero", "it is a device"), ("decide --from /dev/zero", ""),
    ("check --from /", "it is a directory"), ("check --from $folder/pipe", "open for writing"),
    ("decide - </dev/zero", ""), ("check --from - </dev/zero", "MiB"),
    ("check --from <(head -c 200000000 /dev/zero | tr '\\0' y)", "MiB"),
    ("snapshot /dev/null -o $folder/pipe", "no such device or address"),
    ("snapshot /dev/null -o /", "is a directory"),
    ("check --from $folder/socket", ""),
  ])
  func `what is no file gets one line in bounded time`(arguments: String, reason: String) throws {
    // A failure to write the output is not an input error.
    let status: Int32 = arguments.contains(" -o ") ? 70 : 64
    let result = try Product.run(
      """
      folder=$(mktemp -d) && trap 'rm -r "$folder"' EXIT && mkfifo "$folder/pipe"
      $broken --seconds 60 -- $devaccess \(arguments)
      """)
    #expect(result.status == status, "\(result.errors)")
    #expect(result.output == "")
    #expect(result.errors.hasPrefix("devaccess: ") && result.errors.contains(reason))
    #expect(result.errors.filter { $0 == "\n" }.count == 1, "\(result.errors)")
  }

  @Test func `a pipe whose writer comes late is read`() throws {
    let result = try Product.run(
      """
      folder=$(mktemp -d) && trap 'rm -r "$folder"' EXIT && mkfifo "$folder/pipe"
      $devaccess snapshot /dev/null >"$folder/snapshot"
      { sleep 1; cat "$folder/snapshot" >"$folder/pipe"; } &
      $broken -- $devaccess check --from "$folder/pipe"
      """)
    #expect(result.status == 0, "\(result.errors)")
  }

  @Test(arguments: [
    ("explain --example >/dev/full", 70), ("snapshot /dev/null -o /dev/full", 70),
    ("list kvm >/dev/full", 70), ("explain --example 2>/dev/full", 1),
    ("check /no/such 2>/dev/full", 3),
  ])
  func `a full output has the right status`(arguments: String, status: Int32) throws {
    let result = try Product.run("$devaccess \(arguments)")
    #expect(result.status == status, "\(result.errors)")
    #expect(result.errors.filter { $0 == "\n" }.count == (status == 70 ? 1 : 0))
  }

  @Test(
    .requiresPrivateMounts,
    arguments: [
      ("--close 1", "check /etc/passwd", 70), ("--close 1", "check /etc/passwd -q", 0),
      ("--close 0", "decide", 64), ("--close 2", "check /no/such", 3),
      ("--close 0 --close 1 --close 2", "check /etc/passwd", 70),
    ])
  func `without a null device a closed descriptor stays useless`(
    options: String, arguments: String, status: Int32
  ) throws {
    // The next file that is opened must not get the number of the closed descriptor.
    let result = try Product.run("$broken --hide /dev \(options) -- $devaccess \(arguments)")
    // Only the owner may write the file.
    #expect(result.status == status || arguments.hasSuffix("-q") && result.status == 1)
    #expect(result.output == "")
    #expect(result.errors.filter { $0 == "\n" }.count <= 1)
  }

  @Test func `a path is bytes from the argument to the system call`() throws {
    let result = try Product.run(
      """
      folder=$(mktemp -d) && cd "$folder" && trap 'rm -r "$folder"' EXIT
      name=$'caf\\xe9 \\xf4\\x8f\\xbf\\xbf\\xff'
      mkdir "$name" && ln -s "$name" link && echo x >"$name/file" && cd "$name"
      $devaccess check "$folder/$name/file" && $devaccess check ../link/file && $devaccess check ./file
      $devaccess snapshot "./file" | $devaccess check --from -
      $devaccess check "./$name"
      """)
    let path = #"caf\xe9 \xf4\x8f\xbf\xbf\xff"#
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 4 && lines.allSatisfy { $0.hasPrefix("allowed: ") }, "\(result.output)")
    #expect(lines.filter { $0.contains(path) }.count == 4, "\(result.output)")
    #expect(result.status == 3)
    #expect(result.errors.contains("\(path)/./\(path)"), "\(result.errors)")
  }

  @Test(.requiresRoot) func `a printed command names a path that is not UTF-8`() throws {
    let result = try Product.run(
      """
      folder=$(mktemp -d) && chmod 755 "$folder" && cd "$folder" && trap 'rm -r "$folder"' EXIT
      name=$'\\xe9 \\xf4\\x8f\\xbf\\xbf\\'1'
      echo x >"$name"; chmod 600 "$name"
      $devaccess check --user nobody "$folder/$name" >/dev/null && exit 1
      command=$($devaccess explain --user nobody "$folder/$name" | sed -n 's/^ *# \\(setfacl .*\\)/\\1/p' | head -n 1)
      echo "$command"
      eval "$command" || exit 125
      $devaccess check --user nobody "$folder/$name"
      """)
    if result.status == 125 { try Test.cancel("setfacl does not work here: \(result.errors)") }
    #expect(result.status == 0, "\(result.output)\(result.errors)")
  }
}
