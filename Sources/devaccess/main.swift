print("devaccess")
