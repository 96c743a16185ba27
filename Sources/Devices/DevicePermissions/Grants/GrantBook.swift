internal import AccessModel
internal import JSONText
internal import LinuxDevices

/// The record of all grants that one caller gave, as stored in a file.
struct GrantBook: Hashable {
  /// The contents of the file, whose records are decoded one by one: a malformed record does not
  /// hide the others.
  private struct File: Codable {
    var version = 1
    var objects: [JSONFragment] = []
  }

  var objects: [GrantedObject] = []
  /// The records that this version does not understand, which are written back unchanged.
  private var unknown: [JSONFragment] = []
  /// The error that prevents reading a part of the record; if it is set, no new grant is given.
  private(set) var problem: GrantError?
  /// A Boolean value that indicates whether the file can be replaced without losing data.
  private var isWritable = true

  init() {}

  /// Reads the record in a folder; ``problem`` is set if a part of it is not understood.
  init(in folder: borrowing GrantFolder.Locked, at path: String) {
    self.init()
    do throws(GrantError) {
      self = GrantBook(try folder.read(), at: path)
    } catch {
      problem = error
      isWritable = false
    }
  }

  /// Decodes the record of a file; ``problem`` is set if a part of it is not understood.
  init(_ bytes: [UInt8], at path: String) {
    guard !bytes.isEmpty else { return }
    guard let file = try? JSONReader.decode(File.self, from: bytes) else {
      problem = GrantError(.failed, at: path, "the record of grants is malformed")
      isWritable = false
      return
    }
    for fragment in file.objects {
      guard let object = try? fragment.decode(GrantedObject.self) else {
        unknown.append(fragment)
        continue
      }
      objects.append(object)
    }
    if file.version != 1 {
      problem = GrantError(.failed, at: path, "the record of grants has an unsupported version")
      isWritable = false
    } else if !unknown.isEmpty {
      problem = GrantError(.failed, at: path, "a part of the record of grants is malformed")
    }
  }

  /// Returns the record, or throws ``problem`` if a part of the record is not understood.
  func whole() throws(GrantError) -> GrantBook {
    if let problem { throw problem }
    return self
  }

  /// Writes the record, unless that would lose a part of it.
  func write(to folder: borrowing GrantFolder.Locked, at path: String) throws(GrantError) {
    guard isWritable else { return }
    guard !objects.isEmpty || !unknown.isEmpty else { return try folder.write([]) }
    let text: String
    do {
      text = try JSONWriter.encode(Written(objects: objects, unknown: unknown))
    } catch {
      throw GrantError(.failed, at: path, "the record of grants cannot be written")
    }
    try folder.write(Array(text.utf8))
  }

  /// The contents of the file: the records that are understood, and the others.
  private struct Written: Encodable {
    let objects: [GrantedObject]
    let unknown: [JSONFragment]

    private enum Key: String, CodingKey { case version, objects }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(1, forKey: .version)
      var list = container.nestedUnkeyedContainer(forKey: .objects)
      for object in objects { try list.encode(object) }
      for fragment in unknown { try list.encode(fragment) }
    }
  }

  var count: Int { objects.reduce(0) { $0 + $1.grants.count } }

  /// Returns the record of an inode, or `nil` if it has no grant.
  ///
  /// The grant may have been given through another path. It counts only if that path still leads to
  /// the inode: on a filesystem without handles, the inode number may belong to a new file.
  func object(_ node: borrowing PinnedNode, at path: String) -> GrantedObject? {
    objects.first { object in
      node.isInode(of: object)
        && (object.path == path
          || (try? PinnedNode(path: object.path))?.isInode(of: object) == true)
    }
  }

  /// Adds the record of an object, replacing the previous one.
  mutating func put(_ object: GrantedObject, insteadOf old: GrantedObject? = nil) {
    let old = old ?? object
    objects.removeAll { $0.inode == old.inode && $0.path == old.path }
    objects.append(object)
  }

  /// Returns the object of the grant with the given ID.
  func object(of id: String) -> GrantedObject? {
    objects.first { $0.grants.contains { $0.id == id } }
  }
}
