extension DeviceCgroup: Codable {
  private enum Keys: String, CodingKey {
    case defaultBehavior = "default"
    case exceptions
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Keys.self)
    defaultBehavior = try values.decode(Default.self, forKey: .defaultBehavior)
    exceptions = try values.bounded(.exceptions, limit: CaseLimits.exceptions)
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Keys.self)
    try values.encode(defaultBehavior, forKey: .defaultBehavior)
    try values.encode(exceptions, forKey: .exceptions)
  }
}

extension DeviceCgroup.Exception: Codable {
  private enum Keys: String, CodingKey {
    case type
    case major
    case minor
    case access
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Keys.self)
    switch try values.decode(String.self, forKey: .type) {
    case "c": isBlock = false
    case "b": isBlock = true
    default: throw values.invalid(.type, "the type of an exception is c or b")
    }
    // Null matches every number, so a missing key must be an error.
    major = try values.decode(UInt32?.self, forKey: .major)
    minor = try values.decode(UInt32?.self, forKey: .minor)
    read = false
    write = false
    makeNode = false
    for letter in try values.decode(String.self, forKey: .access) {
      switch letter {
      case "r": read = true
      case "w": write = true
      case "m": makeNode = true
      default: throw values.invalid(.access, "the letters of an exception are r, w and m")
      }
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Keys.self)
    try values.encode(isBlock ? "b" : "c", forKey: .type)
    try values.encode(major, forKey: .major)
    try values.encode(minor, forKey: .minor)
    let letters = (read ? "r" : "") + (write ? "w" : "") + (makeNode ? "m" : "")
    try values.encode(letters, forKey: .access)
  }
}
