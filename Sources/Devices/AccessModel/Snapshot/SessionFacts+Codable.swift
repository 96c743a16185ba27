extension SessionFacts {
  private enum Keys: String, CodingKey {
    case isLogindRunning = "logind_running"
    case id
    case user
    case seat
    case isActive = "active"
    case isRemote = "remote"
    case type
    case sessionClass = "class"
    case activeUsers = "active_users"
    case userSeats = "user_seats"
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Keys.self)
    isLogindRunning = try values.decode(Bool.self, forKey: .isLogindRunning)
    id = try values.decodeIfPresent(String.self, forKey: .id)
    user = try values.decodeIfPresent(UInt32.self, forKey: .user)
    seat = try values.decodeIfPresent(String.self, forKey: .seat)
    isActive = try values.decodeIfPresent(Bool.self, forKey: .isActive) ?? false
    isRemote = try values.decodeIfPresent(Bool.self, forKey: .isRemote) ?? false
    type = try values.decodeIfPresent(String.self, forKey: .type)
    sessionClass = try values.decodeIfPresent(String.self, forKey: .sessionClass)
    activeUsers =
      try values.decodeIfPresent([String: UInt32].self, forKey: .activeUsers) ?? [:]
    userSeats = try values.decodeIfPresent([String].self, forKey: .userSeats) ?? []
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Keys.self)
    try values.encode(isLogindRunning, forKey: .isLogindRunning)
    try values.encodeIfPresent(id, forKey: .id)
    try values.encodeIfPresent(user, forKey: .user)
    try values.encodeIfPresent(seat, forKey: .seat)
    try values.encode(isActive, forKey: .isActive)
    try values.encode(isRemote, forKey: .isRemote)
    try values.encodeIfPresent(type, forKey: .type)
    try values.encodeIfPresent(sessionClass, forKey: .sessionClass)
    try values.encode(sorted: activeUsers, forKey: .activeUsers)
    try values.encode(userSeats, forKey: .userSeats)
  }
}
