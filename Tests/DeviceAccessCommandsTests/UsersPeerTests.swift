import Foundation
import Testing

@testable import DeviceAccessCommands

private let hasPeers =
  (try? Product.run("command -v fuser lsof unshare nsenter setpriv python3"))?.status == 0

@Suite(
  .enabled(if: Product.path != nil, "devaccess is not beside the test bundle"),
  .enabled(if: geteuid() == 0, "other programs may have the nodes of a user open"),
  .enabled(if: hasPeers, "fuser, lsof or python3 is not installed"), .timeLimit(.minutes(10)))
struct `The users of a device, beside other programs` {
  /// Runs where no process of another test is seen.
  ///
  /// fuser and lsof would list those that have the same device open. The same script with hundreds of
  /// processes takes some seconds more.
  @Test func `are those that fuser and lsof find, as a user and in containers too`() throws {
    let script = Repository.path("Tests/Machine/compare-users")
    let result = try Product.run(
      """
      apart=(unshare --mount --pid --fork --mount-proc --kill-child)
      # A container may not allow it.
      "${apart[@]}" true 2>/dev/null || apart=()
      "${apart[@]}" /usr/bin/python3 '\(script)' "$devaccess" 16
      """)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.output.contains("ok     16 processes of 50 descriptors, as root: devaccess 8"))
    #expect(!result.output.contains("not ok"))
  }
}
