import Foundation
import LegoKeeping
import LegoKit
import LinuxTestSupport

/// A directory for the files of a test, gone with the value.
final class Folder: Sendable {
  let path: String

  init(in parent: String = "/dev/shm") {
    path = "\(parent)/\(TestName.unique)"
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The directory for a keeper, which makes it.
  var place: StateDirectory { .path(path) }

  /// Makes the directory before a keeper does.
  func make() throws {
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  func path(of name: String) -> String { "\(path)/\(name)" }

  /// The files, without those that begin with a dot.
  var files: [String] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return all.filter { !$0.hasPrefix(".") }.sorted()
  }

  /// The hidden files.
  var hidden: [String] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return all.filter { $0.hasPrefix(".") }.sorted()
  }

  func text(_ name: String) -> String? {
    FileManager.default.contents(atPath: path(of: name)).map { String(decoding: $0, as: UTF8.self) }
  }

  func write(_ name: String, _ text: String) throws {
    try make()
    try Data(text.utf8).write(to: URL(fileURLWithPath: path(of: name)))
  }

  func mode(_ name: String = "") throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path(of: name))
    return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
  }

  /// The kept design as a file holds it, read by a store of its own.
  func notes(_ name: String = "notes") -> Notes.Design {
    Lego(.init(), blueprint: Notes(), adaptors: [Keeping(name, in: place, saving: .whenAsked)])
      .design
  }

  /// A store that keeps its design here.
  func store(
    _ keeper: Keeper<Notes.Design>,
    arriving arrival: (@Sendable (KeptArrival<Notes.Design>) -> Notes.Change)? = nil
  ) -> Lego<Notes> {
    Lego(.init(), blueprint: Notes(), adaptors: [Keeping(keeper, arriving: arrival)])
  }

  func keeper(
    _ name: String = "notes", history: KeptHistory<Notes.Design> = KeptHistory(),
    saving: Saving = .whenAsked, limit: Int = 1 << 20
  ) -> Keeper<Notes.Design> {
    Keeper(name, history: history, in: place, saving: saving, limit: limit)
  }
}
