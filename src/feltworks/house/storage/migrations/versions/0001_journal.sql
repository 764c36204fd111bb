-- WAC 230-15-695: for what a prize may be lowered, and in favour of which account. The last two reasons are
-- the game's own rules for backups (SP.18) and the removal of a progressive (WAC 230-15-710).
INSERT INTO reason (name, debit, credit) VALUES
    ('won', 'jackpot', 'house'),
    ('won', 'jackpot', 'bank'),
    ('malfunction', 'jackpot', 'borne'),
    ('malfunction', 'backup', 'borne'),
    ('malfunction', 'second-backup', 'borne'),
    ('malfunction', 'overflow', 'borne'),
    ('above maximum', 'jackpot', 'overflow'),
    ('gross receipts', 'backup', 'receipts'),
    ('gross receipts', 'second-backup', 'receipts'),
    ('gross receipts', 'overflow', 'receipts'),
    ('seed recovery', 'jackpot', 'seed'),
    ('seed recovery', 'backup', 'seed'),
    ('seed recovery', 'second-backup', 'seed'),
    ('seed recovery', 'overflow', 'seed'),
    ('rules of the game', 'backup', 'jackpot'),
    ('rules of the game', 'second-backup', 'backup'),
    ('rules of the game', 'overflow', 'jackpot'),
    ('removal', 'jackpot', 'house'),
    ('removal', 'backup', 'house'),
    ('removal', 'second-backup', 'house'),
    ('removal', 'overflow', 'house')
--;
