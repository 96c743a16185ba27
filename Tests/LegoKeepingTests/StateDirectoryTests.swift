import CLinux
import Foundation
import Glibc
import LegoKeeping
import LinuxTestSupport
import Testing

@Suite struct `The state directory` {
  private func path(
    _ variables: [String: String], of directory: StateDirectory = .standard,
    home: String? = "/home/ann",
    program: String? = "prog"
  ) -> String? {
    directory.path(
      in: ProcessEnvironment(variable: { variables[$0] }, home: home, program: program))
  }

  @Test func `is the first that systemd gives`() {
    #expect(path(["STATE_DIRECTORY": "/var/lib/a:/var/lib/b", "HOME": "/x"]) == "/var/lib/a/prog")
    #expect(path(["STATE_DIRECTORY": "/var/lib/a"]) == "/var/lib/a/prog")
    #expect(path(["STATE_DIRECTORY": "", "HOME": "/x"]) == "/x/.local/state/prog")
    #expect(path(["STATE_DIRECTORY": "rel:/var/lib/b", "HOME": "/x"]) == "/x/.local/state/prog")
  }

  @Test func `is else the user's`() {
    #expect(path(["XDG_STATE_HOME": "/s", "HOME": "/x"]) == "/s/prog")
    #expect(path(["XDG_STATE_HOME": "s", "HOME": "/x"]) == "/x/.local/state/prog")
    #expect(path([:]) == "/home/ann/.local/state/prog")
    #expect(path(["HOME": "relative"]) == nil)
    #expect(path([:], home: nil) == nil)
  }

  @Test func `is named for the program`() {
    #expect(path(["HOME": "/x"], of: .standard(program: "other")) == "/x/.local/state/other")
    #expect(path(["HOME": "/x"], of: .standard(program: "a/b")) == nil)
    #expect(path(["HOME": "/x"], of: .standard(program: "..")) == nil)
    #expect(path([:], program: nil) == nil)
    #expect(ProcessEnvironment.current.program?.isEmpty == false)
    #expect(ProcessEnvironment.current.home?.hasPrefix("/") == true)
  }

  @Test func `may be any absolute path`() {
    #expect(path([:], of: .path("/srv/x")) == "/srv/x")
    #expect(path([:], of: .path("srv")) == nil)
  }

  /// A copy of the program `design-keeper`, which anybody may run, with or without a capability.
  private static func program(in folder: Folder, isRaised: Bool) throws -> String {
    let copy = folder.path(of: "keeper")
    // Not by this process: one that another test starts meanwhile would hold the copy open for writing,
    // and what is held so cannot be run.
    let original = try #require(KeeperProcess.program)
    #expect(try StartedProgram(["/bin/cp", original, copy]).end() == 0)
    try SystemError.check(unsafe chmod(copy, 0o755), "chmod")
    guard isRaised else { return copy }
    // struct vfs_cap_data, version 2, effective: CAP_NET_RAW.
    let capability: [UInt8] = [1, 0, 0, 2, 0, 0x20] + [UInt8](repeating: 0, count: 14)
    try SystemError.check(
      unsafe setxattr(copy, "security.capability", capability, capability.count, 0), "setxattr")
    return copy
  }

  @Test(.requiresRoot, arguments: [false, true])
  func `is not chosen by who starts a program with file capabilities`(isRaised: Bool) throws {
    let folder = Folder(in: "/tmp")
    try folder.make()
    try SystemError.check(unsafe chmod(folder.path, 0o755), "chmod")
    for name in ["state", "target", "own"] {
      try SystemError.check(unsafe mkdir(folder.path(of: name), 0o700), "mkdir")
      try SystemError.check(unsafe chown(folder.path(of: name), 65_534, 65_534), "chown")
    }
    // A link of the user's own on the way.
    try FileManager.default.createSymbolicLink(
      atPath: folder.path(of: "own/link"), withDestinationPath: folder.path(of: "target"))
    let program = try Self.program(in: folder, isRaised: isRaised)
    for place in ["standard", folder.path(of: "own/link/keeper"), folder.path(of: "own/keeper")] {
      let process = try StartedProgram(
        [
          "/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", program, "add",
          place, "1",
        ], environment: ["XDG_STATE_HOME=\(folder.path(of: "state"))"])
      #expect(process.line() == "begins 0")
      // One that has no place for its state tries on and on.
      if !isRaised || place.hasSuffix("own/keeper") { #expect(process.end() == 0) }
    }
    let found = ["state", "target", "own"].map { name in
      FileManager.default.fileExists(atPath: folder.path(of: "\(name)/keeper/tally.json"))
    }
    #expect(found == [!isRaised, !isRaised, true])
  }
}
