internal import AccessModel
internal import JSONText
internal import LinuxDevices

/// The record of all grants of one caller, as the file holds it.
struct GrantBook: Hashable, Codable {
  var version = 1
  var objects: [GrantedObject] = []

  init() {}

  /// The record in a folder.
  ///
  /// - Throws: `failed` for a file that holds something else: nothing is done then, because the
  ///   grants in it could not be taken back.
  init(in folder: borrowing GrantFolder.Locked, at path: String) throws(GrantError) {
    let bytes = try folder.read()
    guard !bytes.isEmpty else { return }
    do {
      self = try JSONReader.decode(GrantBook.self, from: bytes)
    } catch {
      throw GrantError(.failed, at: path, "the record of grants cannot be understood")
    }
    guard version == 1 else {
      throw GrantError(.failed, at: path, "the record of grants is of another version")
    }
  }

  /// Writes the record.
  func write(to folder: borrowing GrantFolder.Locked, at path: String) throws(GrantError) {
    guard !objects.isEmpty else { return try folder.write([]) }
    do {
      let bytes = Array(try JSONWriter.encode(self).utf8)
      try folder.write(bytes)
    } catch let error as GrantError {
      throw error
    } catch {
      throw GrantError(.failed, at: path, "the record of grants cannot be written")
    }
  }

  var count: Int { objects.reduce(0) { $0 + $1.grants.count } }

  /// The record of an inode; `nil` where no grant is on it.
  ///
  /// It may have been granted by another path. Where the filesystem has no handles, a number can be that
  /// of a new file, once the old path leads elsewhere.
  func object(_ node: borrowing PinnedNode, at path: String) -> GrantedObject? {
    objects.first { object in
      node.isInode(of: object)
        && (object.path == path
          || (try? PinnedNode(path: object.path))?.isInode(of: object) == true)
    }
  }

  /// Takes an object in, in place of what was known of it; one without grants goes.
  mutating func put(_ object: GrantedObject, insteadOf old: GrantedObject? = nil) {
    let old = old ?? object
    objects.removeAll { $0.inode == old.inode && $0.path == old.path }
    if !object.grants.isEmpty { objects.append(object) }
  }

  /// The object that a grant is on.
  func object(of id: String) -> GrantedObject? {
    objects.first { $0.grants.contains { $0.id == id } }
  }
}
