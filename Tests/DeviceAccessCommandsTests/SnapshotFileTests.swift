import JSONText
import LinuxTestSupport
import Testing

@testable import DeviceAccessCommands

/// The effect of `devaccess snapshot --output` on an existing file.
@Suite struct `A file of snapshots` {
  @Test func `holds nothing of what it held before`() async throws {
    let file = try TemporaryFile(String(repeating: "old ", count: 50_000))
    let once = await CommandResult.run(["snapshot", "camera"])
    let result = await CommandResult.run(["snapshot", "camera", "--output", file.path])
    #expect(result.status == .allowed)
    #expect(try file.contents() == once.output)
  }

  @Test func `has a line for each question`() async throws {
    let file = try TemporaryFile("old")
    let result = await CommandResult.run(
      ["snapshot", "camera", "microphone", "--json", "--output", file.path])
    #expect(result.status == .allowed)
    #expect(
      result.output
        == #"{"schema":"devaccess/1","command":"snapshot","exit_status":0,"file":"\#(file.path)"}"#
        + "\n")
    let lines = try file.contents().split(separator: "\n")
    #expect(lines.count == 2)
    for line in lines {
      _ = try SnapshotFile.decode(Array(line.utf8), name: "it").get()
    }
  }

  @Test(.requiresPrivateMounts) func `keeps what it held where the disk is full`() throws {
    let result = try Product.run(
      #"""
      unshare --mount --propagation private bash -c '
        mount -t tmpfs -o size=1m none /mnt
        echo precious >/mnt/snapshot
        cat /dev/zero >/mnt/rest 2>/dev/null
        "$0" snapshot /dev/null --output /mnt/snapshot; echo "$?"
        cat /mnt/snapshot
        rm /mnt/rest
        "$0" snapshot /dev/null --output /mnt/snapshot; echo "$?"
        "$0" check --from /mnt/snapshot >/dev/null; echo "$?"' "$devaccess" 2>&1
      """#)
    #expect(
      result.output == """
        devaccess: cannot write /mnt/snapshot: no space left on device
        70
        precious
        0
        0

        """)
  }
}
