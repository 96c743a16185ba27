import Foundation
import Glibc
import LegoKeeping
import LegoKit
import LegoSamples
import LinuxTestSupport

/// A directory in trouble, in a process of its own.
///
/// Only the thread that mounts sees the mount by its path; all threads see it by descriptors. So a
/// test makes its store before it waits for anything.
final class Trouble {
  static let kept = #"{"version":1,"value":{"text":"kept","count":0,"ratio":0}}"#

  let reports = Reports()
  let folder = Folder()
  private(set) var directory: Int32 = -1

  init() throws {
    try folder.make()
  }

  /// Opens the directory.
  func open() throws {
    directory = unsafe Glibc.open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if directory < 0 { throw SystemError(call: "open", errno: errno) }
  }

  /// Mounts a file system on the directory that only this thread sees.
  func mount(options: String) throws {
    try PrivateMachine.separateMounts()
    try PrivateMachine.mountTemporary(at: folder.path, options: options)
    try open()
  }

  /// What the kept file holds.
  func text() -> String {
    let file = unsafe openat(directory, "notes.json", O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = unsafe read(file, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  func failure(of keeper: Keeper<Notes.Design>) async -> KeepingError? {
    do throws(KeepingError) { try await keeper.save() } catch { return error }
    return nil
  }

  /// Ends the process with an explanation, unless something holds.
  func check(_ condition: Bool, _ what: String) throws {
    if !condition { throw SystemError(call: what, errno: 0) }
  }

  /// A directory that holds a design can be read and not written.
  func expectRefusal(errno number: Int32) async throws {
    let keeper = folder.keeper()
    let lego = folder.store(keeper)
    try check(lego.design.text == "kept", "\(lego.design) \(reports.lines)")
    lego.build(.text("new"))
    let error = await failure(of: keeper)
    try check(error?.code == .notWritten && error?.errno == number, "\(error as Any)")
    try check(text() == Self.kept, text())
    try check(reports.lines == [], "\(reports.lines)")
    await lego.close()
    try check(reports.lines.count == 1, "\(reports.lines)")
    try check(text() == Self.kept, text())
  }
}
