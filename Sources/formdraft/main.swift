print("formdraft")
