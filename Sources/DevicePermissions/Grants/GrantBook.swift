internal import AccessModel
internal import JSONText
internal import LinuxDevices

/// The record of all grants of one caller, as the file holds it.
struct GrantBook: Hashable {
  /// The file: the records stay text until each is understood, so that one does not hide the others.
  private struct File: Codable {
    var version = 1
    var objects: [JSONFragment] = []
  }

  var objects: [GrantedObject] = []
  /// Records that this version does not understand, which stay as they are.
  private var unknown: [JSONFragment] = []
  /// Why a part of the record is not known; nothing is granted then.
  private(set) var problem: GrantError?
  /// Whether the file may be replaced: not if that would lose what it says.
  private var isWritable = true

  init() {}

  /// The record in a folder, as far as it is understood.
  init(in folder: borrowing GrantFolder.Locked, at path: String) {
    self.init()
    do throws(GrantError) {
      self = GrantBook(try folder.read(), at: path)
    } catch {
      problem = error
      isWritable = false
    }
  }

  /// The record that a file holds, as far as it is understood.
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

  /// The record, where all of it is understood.
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

  /// The file with records that are understood and others.
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

  /// Takes an object in, in place of what was known of it.
  mutating func put(_ object: GrantedObject, insteadOf old: GrantedObject? = nil) {
    let old = old ?? object
    objects.removeAll { $0.inode == old.inode && $0.path == old.path }
    objects.append(object)
  }

  /// The object that a grant is on.
  func object(of id: String) -> GrantedObject? {
    objects.first { $0.grants.contains { $0.id == id } }
  }
}
