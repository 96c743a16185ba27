import Foundation
import LinuxTestSupport
import Testing

/// A filesystem whose server does not respond, such as sshfs after the network was lost.
@Suite(.requiresSilentFilesystem) struct SilentFilesystemTests {
  /// Runs a command for at most 25 seconds, with a directory on such a filesystem.
  private func run(
    _ command: String, after preparation: String = ":", owner: UInt32? = nil
  ) throws -> (result: Product.Result, seconds: Double) {
    let directory = try TemporaryDirectory()
    let start = ContinuousClock.now
    let option = owner.map { "--owner \($0)" } ?? ""
    let result = try Product.run(
      """
      export HOME=\(directory.path)
      \(preparation)
      $broken --seconds 25 --silent \(directory.path) \(option) -- $devaccess \(command)
      """)
    let seconds = start.duration(to: .now) / .seconds(1)
    return (result, seconds)
  }

  /// The kernel refuses root immediately, but the process that checks access for the owner waits.
  @Test(.requiresRoot) func `one that only its owner sees holds up nobody who asks for the owner`()
    throws
  {
    let (result, seconds) = try run("check --read $HOME/a --user nobody", owner: 65534)
    #expect(result.status == 2, "\(result.output)\(result.errors)")
    #expect(seconds < 20)
  }

  @Test(arguments: ["check album", "check $HOME/a", "explain album"])
  func `what is on it is undetermined, and why is said`(command: String) throws {
    let (result, seconds) = try run(command)
    #expect(result.status == 2, "\(result.output)\(result.errors)")
    let words = result.output.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    #expect(words.contains("its filesystem does not respond"), "\(result.output)")
    #expect(seconds < 20)
  }

  @Test func `what is not on it is told all the same`() throws {
    let (result, _) = try run("status")
    #expect(result.output.contains("\ncamera "), "\(result.output)\(result.errors)")
    #expect(result.output.contains("album   unknown"), "\(result.output)")
  }

  @Test(arguments: ["check /dev/null", "users /dev/null", "list", "check --wait=5 /dev/null"])
  func `nobody waits for it who asks for something else`(command: String) throws {
    let (result, seconds) = try run(command)
    #expect(result.status < 124, "\(result.errors)")
    // A wait would take at least three seconds.
    #expect(seconds < 3, "it took \(seconds) s")
  }

  @Test func `a watch tells of the rest, and ends by a signal`() throws {
    let (result, _) = try run(
      """
      watch /dev/null $HOME/a & sleep 6; kill -TERM $!; wait $!
      """)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains("allowed: read and write access to /dev/null"))
    #expect(result.output.contains("(its filesystem does not respond)"), "\(result.output)")
  }

  @Test func `a wait for it ends in time`() throws {
    let (result, seconds) = try run("check --wait=1 album")
    #expect(result.status == 2, "\(result.errors)")
    #expect(seconds < 20)
  }

  @Test func `the users of a device on it cannot be told`() throws {
    let (result, _) = try run("users $HOME/video0")
    #expect(result.status == 2)
    #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
  }

  /// The command itself follows the links as well, not only the kernel.
  @Test func `nor can those of a device that links lead to`() throws {
    let links = try TemporaryDirectory()
    let (result, seconds) = try run(
      "users \(links.path)/first",
      after: "ln -s $HOME/video0 \(links.path)/second; ln -s second \(links.path)/first")
    #expect(result.status == 2, "\(result.errors)")
    #expect(seconds < 20)
  }
}
